create table outbox(id uuid primary key, aggregatetype varchar(255) not null, aggregateid varchar(255) not null, type varchar(255), payload jsonb, k bytea);
-- rows
insert into outbox(id,aggregatetype,aggregateid,type,payload,k) values ('00000000-0000-0000-0000-000000000600','order','a','T','{}','\x0102ff');
insert into outbox(id,aggregatetype,aggregateid,type,payload,k) values ('00000000-0000-0000-0000-000000000601','order','a','T','{}','\x');
insert into outbox(id,aggregatetype,aggregateid,type,payload,k) values ('00000000-0000-0000-0000-000000000602','order','a','T','{}',null);

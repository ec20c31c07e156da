create table outbox(id uuid primary key, aggregatetype varchar(255) not null, aggregateid varchar(255) not null, type varchar(255), payload jsonb, k int8);
-- rows
insert into outbox(id,aggregatetype,aggregateid,type,payload,k) values ('00000000-0000-0000-0000-000000000600','order','a','T','{}','42');
insert into outbox(id,aggregatetype,aggregateid,type,payload,k) values ('00000000-0000-0000-0000-000000000601','order','a','T','{}','-1');
insert into outbox(id,aggregatetype,aggregateid,type,payload,k) values ('00000000-0000-0000-0000-000000000602','order','a','T','{}',null);

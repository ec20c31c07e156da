create table outbox(id uuid primary key, aggregatetype varchar(255) not null, aggregateid varchar(255) not null, type varchar(255), payload jsonb, k uuid);
-- rows
insert into outbox(id,aggregatetype,aggregateid,type,payload,k) values ('00000000-0000-0000-0000-000000000600','order','a','T','{}','A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11');
insert into outbox(id,aggregatetype,aggregateid,type,payload,k) values ('00000000-0000-0000-0000-000000000601','order','a','T','{}',null);

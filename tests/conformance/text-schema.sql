create table outbox(id uuid primary key, aggregatetype varchar(255) not null, aggregateid varchar(255) not null, type varchar(255), payload text, tenant text, part int, ts timestamptz, ver int);
-- rows
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000710','order','plain','plain','plain','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000711','order','empty','empty','','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000712','order','null','null',null,'acme',1);

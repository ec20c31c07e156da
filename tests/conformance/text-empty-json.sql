create table outbox(id uuid primary key, aggregatetype varchar(255) not null, aggregateid varchar(255) not null, type varchar(255), payload text, tenant text, part int, ts timestamptz, ver int);
-- rows
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000100','order','empty','empty','','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000101','order','blanks','blanks','   ','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000102','order','tabnl','tabnl',E'\x09\x0a','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000103','order','cr-ff-vt','cr-ff-vt',E'\x0d\x0c\x0b','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000104','order','nbsp','nbsp',' ','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000105','order','u2003','u2003',' ','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000106','order','u0085','u0085','','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000107','order','x01','x01',E'\x01','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000108','order','x1f','x1f',E'\x1f','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-000000000109','order','x7f','x7f','','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-00000000010a','order','zwsp','zwsp','​','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-00000000010b','order','bom','bom','﻿','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-00000000010c','order','sqlnull','sqlnull',null,'acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-00000000010d','order','nulltext','nulltext','null','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-00000000010e','order','quotes','quotes','""','acme',1);
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,ver) values ('00000000-0000-0000-0000-00000000010f','order','text','text','x','acme',1);

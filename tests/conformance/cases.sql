-- The rows that the variants without rows of their own replay, in a table that is wide enough for each.
-- What differs in a variant's table is in conformance_test.cc.
create table outbox(id uuid primary key, aggregatetype varchar(255) not null, aggregateid varchar(255) not null, type varchar(255), payload jsonb, tenant text, part int, ts timestamptz, ver int);
-- rows
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,part,ts,ver) values
('00000000-0000-0000-0000-000000000001','order','o-1','OrderPlaced','{"b":1,"a":{"z":[1,2,3],"y":null},"t":"naïve ☕ 日本"}','acme',0,'2024-02-29 12:34:56.789123+00',1),
('00000000-0000-0000-0000-000000000002','order','o-1','OrderPaid','{"n":9007199254740993,"d":0.1000000000000000055511151231257827,"e":1.5e3,"neg":-0.0}','acme',1,'2024-02-29 12:34:56.789+03',1),
('00000000-0000-0000-0000-000000000003','order','o-2','Empty','{}','acme',2,'1970-01-01 00:00:00+00',1),
('00000000-0000-0000-0000-000000000004','order','o-2','Array','[]','acme',0,'2024-06-01 00:00:00+00',1),
('00000000-0000-0000-0000-000000000005','order','o-3','Mixed','[1,"two",{"three":3}]','acme',0,'2024-06-01 00:00:00+00',1),
('00000000-0000-0000-0000-000000000006','order','o-3','Same','[1,2,3]','acme',0,'2024-06-01 00:00:00+00',2),
('00000000-0000-0000-0000-000000000007','order','o-4','String','"plain"','acme',0,'2024-06-01 00:00:00+00',2),
('00000000-0000-0000-0000-000000000008','order','o-4','Number','42','acme',0,'2024-06-01 00:00:00+00',2),
('00000000-0000-0000-0000-000000000009','order','o-4','JsonNull','null','acme',0,'2024-06-01 00:00:00+00',2),
('00000000-0000-0000-0000-00000000000a','order','o-5','SqlNull',null,'acme',0,'2024-06-01 00:00:00+00',2),
('00000000-0000-0000-0000-00000000000b','order','','EmptyKey','{"k":"empty"}','acme',0,'2024-06-01 00:00:00+00',2),
('00000000-0000-0000-0000-00000000000c','order','Ünïcødé key/☕','UnicodeKey','{"k":"unicode"}','acme',0,'2024-06-01 00:00:00+00',2),
('00000000-0000-0000-0000-00000000000d','customer','c-1','Other','{"empty":[],"nulls":{"a":null},"deep":{"l":[{"x":1},{"x":null,"y":"s"}]}}','umbrella',1,'2024-06-01 00:00:00+00',3),
('00000000-0000-0000-0000-00000000000e','customer','c-1',null,'{"type":"null"}',null,null,null,null),
('00000000-0000-0000-0000-00000000000f','customer','c-2','Bool','{"t":true,"f":false,"esc":"q\"b\\s\/n\nt\tu\u0001"}','umbrella',1,'2024-06-01 00:00:00+00',3);
-- deleted in the transaction that inserted it: still an event
begin;
insert into outbox(id,aggregatetype,aggregateid,type,payload) values ('00000000-0000-0000-0000-000000000010','customer','c-3','Gone','{"gone":true}');
delete from outbox where id='00000000-0000-0000-0000-000000000010';
commit;
-- rolled back, in whole and in part
begin;
insert into outbox(id,aggregatetype,aggregateid,type,payload) values ('00000000-0000-0000-0000-000000000011','customer','c-3','RolledBack','{}');
rollback;
begin;
insert into outbox(id,aggregatetype,aggregateid,type,payload) values ('00000000-0000-0000-0000-000000000012','customer','c-4','Kept','{"kept":1}');
savepoint s;
insert into outbox(id,aggregatetype,aggregateid,type,payload) values ('00000000-0000-0000-0000-000000000013','customer','c-4','Dropped','{}');
rollback to s;
insert into outbox(id,aggregatetype,aggregateid,type,payload) values ('00000000-0000-0000-0000-000000000014','customer','c-4','KeptToo','{"kept":2}');
commit;
-- a value that TOAST moves out of line, and then an update and a delete, which are not events
insert into outbox(id,aggregatetype,aggregateid,type,payload) select '00000000-0000-0000-0000-000000000015','customer','c-5','Large', jsonb_build_object('big', string_agg(md5(g::text),'')) from generate_series(1,120) g;
update outbox set tenant='changed' where id='00000000-0000-0000-0000-000000000015';
delete from outbox where aggregateid='c-5';
insert into outbox(id,aggregatetype,aggregateid,type,payload,tenant,part,ts,ver) values
('00000000-0000-0000-0000-0000000000ff','customer','c-9','Last','{"last":true}','acme',0,'2024-06-01 00:00:00+00',1);

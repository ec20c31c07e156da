create type mood as enum('sad','ok','happy');
create domain posint as int check (value > 0);
create domain short as varchar(5);
create table outbox(id uuid primary key, aggregatetype varchar(255) not null, aggregateid varchar(255) not null, type varchar(255), payload jsonb,
 c_bool bool,
 c_int2 int2,
 c_int4 int4,
 c_int8 int8,
 c_oid oid,
 c_float4 float4,
 c_float8 float8,
 c_num102 numeric(10,2),
 c_num100 numeric(10,0),
 c_num_big numeric(38,10),
 c_num numeric,
 c_money money,
 c_ts0 timestamp(0),
 c_ts3 timestamp(3),
 c_ts timestamp,
 c_tstz0 timestamptz(0),
 c_tstz3 timestamptz(3),
 c_tstz timestamptz,
 c_date date,
 c_time time,
 c_time0 time(0),
 c_time3 time(3),
 c_timetz timetz,
 c_uuid uuid,
 c_jsonb jsonb,
 c_json json,
 c_xml xml,
 c_bytea bytea,
 c_interval interval,
 c_texta text[],
 c_inta int[],
 c_mood mood,
 c_inet inet,
 c_cidr cidr,
 c_mac macaddr,
 c_char5 char(5),
 c_char char,
 c_varchar5 varchar(5),
 c_text text,
 c_posint posint,
 c_short short,
 c_name name,
 c_bit1 bit(1),
 c_bit3 bit(3),
 c_varbit varbit(10),
 c_range int4range,
 c_tsrange tsrange,
 c_point point,
 c_tsvector tsvector);
-- rows
insert into outbox(id,aggregatetype,aggregateid,type,payload) values ('00000000-0000-0000-0000-000000000201','order','row1','T','{}');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_bool,c_int2,c_int4,c_int8,c_oid,c_float4,c_float8,c_num102,c_num100,c_num_big,c_ts0,c_ts3,c_ts,c_tstz0,c_tstz3,c_tstz,c_date,c_time,c_time0,c_time3,c_timetz,c_uuid,c_jsonb,c_json,c_xml,c_bytea,c_interval,c_mood,c_inet,c_cidr,c_mac,c_char5,c_char,c_varchar5,c_text,c_posint,c_short,c_name,c_bit1,c_range,c_tsrange) values ('00000000-0000-0000-0000-000000000202','order','row2','T','{}','t','1','1','1','1','1.5','1.5','12.30','5','1e-10','2024-02-29 12:34:56','2024-02-29 12:34:56.789','2024-02-29 12:34:56.789123','2024-02-29 12:34:56+00','2024-02-29 12:34:56.789+00','2024-02-29 12:34:56+00','2024-02-29','12:34:56','12:34:56','12:34:56.789','12:34:56+00','A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11','{"b": 1,"a":[1, 2]}','{"b": 1,"a":[1, 2]}','<a>x</a>','\x0102ff','1 day','ok','10.0.0.1','10.0.0.0/8','08:00:2B:01:02:03','ab','a','ab','naïve ☕ "q"','7','ab','nm','1','[1,5)','[2024-01-01,2024-01-02)');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_bool,c_int2,c_int4,c_int8,c_oid,c_float4,c_float8,c_num102,c_num100,c_num_big,c_ts0,c_ts3,c_ts,c_tstz3,c_tstz,c_date,c_time,c_timetz,c_jsonb,c_bytea,c_interval,c_inet,c_char5,c_varchar5,c_text,c_bit1) values ('00000000-0000-0000-0000-000000000203','order','row3','T','{}','f','-32768','-2147483648','-9223372036854775808','4294967295','100000','100000','-12.30','-5','1234567890123456789012345678.0123456789','1969-12-31 23:59:59','1969-12-31 23:59:59.5','1969-12-31 23:59:59.5','2024-02-29 12:34:56.7+00','2024-02-29 12:34:56.7+00','1970-01-01','12:34:56.789123','12:34:56+02','null','\x','1 mon','10.0.0.0/8','','ab ','','0');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_int2,c_int8,c_float4,c_float8,c_num102,c_num100,c_num_big,c_ts0,c_ts,c_tstz3,c_tstz,c_date,c_time,c_timetz,c_bytea,c_interval,c_inet,c_char5) values ('00000000-0000-0000-0000-000000000204','order','row4','T','{}','0','9007199254740993','1e21','1e21','0','1000000000','0','0001-01-01 00:00:00','1970-01-01 00:00:00','2024-02-29 12:34:56+00','2024-02-29 12:34:56.789+00','1969-12-31','00:00:00','12:34:56.7-03:30','\x68656c6c6f','1 year 2 mons 3 days 04:05:06.789','::1','abcde');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4,c_float8,c_num102,c_num_big,c_ts,c_tstz,c_date,c_timetz,c_interval) values ('00000000-0000-0000-0000-000000000205','order','row5','T','{}','1e-7','1e-7','99999999.99','100','9999-12-31 23:59:59.999999','2024-02-29 12:34:56.7891+00','0001-01-01','12:34:56.789123+00','-1 hours');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4,c_float8,c_num102,c_tstz,c_date,c_timetz,c_interval) values ('00000000-0000-0000-0000-000000000206','order','row6','T','{}','0.1','0.1','-0.01','2024-02-29 12:34:56.789120+00','9999-12-31','00:30:00+02','0');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4,c_float8,c_num102,c_tstz,c_timetz) values ('00000000-0000-0000-0000-000000000207','order','row7','T','{}','3.4e38','3.4e38','1.28','2024-02-29 12:34:56.789123+00','12:34:00+00');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4,c_float8,c_num102,c_tstz,c_timetz) values ('00000000-0000-0000-0000-000000000208','order','row8','T','{}','1e7','1e7','1.27','2024-02-29 12:34:56.000001+00','12:00:00+00');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4,c_float8,c_num102,c_tstz,c_timetz) values ('00000000-0000-0000-0000-000000000209','order','row9','T','{}','9999999','9999999','-1.28','2024-02-29 12:34:00+00','12:34:56.789+00');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4,c_float8,c_num102,c_tstz) values ('00000000-0000-0000-0000-00000000020a','order','row10','T','{}','0.001','0.001','-1.29','2024-02-29 00:00:00+00');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4,c_float8,c_tstz) values ('00000000-0000-0000-0000-00000000020b','order','row11','T','{}','0.0001','0.0001','2024-02-29 12:34:56.789+03');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4,c_float8,c_tstz) values ('00000000-0000-0000-0000-00000000020c','order','row12','T','{}','-0','-0','1969-12-31 23:59:59.5+00');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4,c_float8,c_tstz) values ('00000000-0000-0000-0000-00000000020d','order','row13','T','{}','16777216','1e16','1900-01-01 00:00:00+00');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4,c_float8,c_tstz) values ('00000000-0000-0000-0000-00000000020f','order','row15','T','{}','1e-45','1.7976931348623157e308','0001-01-01 00:00:00+00');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4,c_float8,c_tstz) values ('00000000-0000-0000-0000-000000000210','order','row16','T','{}','2e-3','2e-3','9999-12-31 23:59:59.999999+00');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4,c_float8) values ('00000000-0000-0000-0000-000000000213','order','row19','T','{}','123456.79','123456789.123');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float8) values ('00000000-0000-0000-0000-000000000214','order','c_float8','T','{}','0.30000000000000004');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float8) values ('00000000-0000-0000-0000-000000000215','order','c_float8','T','{}','9007199254740993');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float8) values ('00000000-0000-0000-0000-000000000216','order','c_float8','T','{}','4.35');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float8) values ('00000000-0000-0000-0000-000000000217','order','c_float8','T','{}','2.2250738585072014e-308');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float8) values ('00000000-0000-0000-0000-000000000218','order','c_float8','T','{}','1.0E-5');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float8) values ('00000000-0000-0000-0000-000000000219','order','c_float8','T','{}','9.999e-4');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4) values ('00000000-0000-0000-0000-00000000021a','order','c_float4','T','{}','NaN');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4) values ('00000000-0000-0000-0000-00000000021b','order','c_float4','T','{}','Infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float4) values ('00000000-0000-0000-0000-00000000021c','order','c_float4','T','{}','-Infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float8) values ('00000000-0000-0000-0000-00000000021d','order','c_float8','T','{}','NaN');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float8) values ('00000000-0000-0000-0000-00000000021e','order','c_float8','T','{}','Infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_float8) values ('00000000-0000-0000-0000-00000000021f','order','c_float8','T','{}','-Infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_num) values ('00000000-0000-0000-0000-000000000221','order','c_num','T','{}','12.30');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_num) values ('00000000-0000-0000-0000-000000000222','order','c_num','T','{}','100');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_num) values ('00000000-0000-0000-0000-000000000223','order','c_num','T','{}','1e20');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_num) values ('00000000-0000-0000-0000-000000000224','order','c_num','T','{}','-0.001');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_num) values ('00000000-0000-0000-0000-000000000226','order','c_num','T','{}','Infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_money) values ('00000000-0000-0000-0000-000000000227','order','c_money','T','{}','12.34');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_ts0) values ('00000000-0000-0000-0000-000000000228','order','c_ts0','T','{}','infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_ts0) values ('00000000-0000-0000-0000-000000000229','order','c_ts0','T','{}','-infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_ts0) values ('00000000-0000-0000-0000-00000000022a','order','c_ts0','T','{}','4713-01-01 00:00:00 BC');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_ts3) values ('00000000-0000-0000-0000-00000000022b','order','c_ts3','T','{}','infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_ts) values ('00000000-0000-0000-0000-00000000022c','order','c_ts','T','{}','infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_ts) values ('00000000-0000-0000-0000-00000000022d','order','c_ts','T','{}','-infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_ts) values ('00000000-0000-0000-0000-00000000022e','order','c_ts','T','{}','4713-01-01 00:00:00 BC');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_tstz) values ('00000000-0000-0000-0000-000000000230','order','c_tstz','T','{}','infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_tstz) values ('00000000-0000-0000-0000-000000000231','order','c_tstz','T','{}','-infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_tstz) values ('00000000-0000-0000-0000-000000000232','order','c_tstz','T','{}','0044-03-15 00:00:00+00 BC');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_tstz) values ('00000000-0000-0000-0000-000000000233','order','c_tstz','T','{}','4713-01-01 00:00:00+00 BC');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_tstz) values ('00000000-0000-0000-0000-000000000234','order','c_tstz','T','{}','12345-01-01 00:00:00+00');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_date) values ('00000000-0000-0000-0000-000000000236','order','c_date','T','{}','infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_date) values ('00000000-0000-0000-0000-000000000237','order','c_date','T','{}','-infinity');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_date) values ('00000000-0000-0000-0000-000000000238','order','c_date','T','{}','0044-03-15 BC');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_date) values ('00000000-0000-0000-0000-000000000239','order','c_date','T','{}','5874897-12-31');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_time) values ('00000000-0000-0000-0000-00000000023a','order','c_time','T','{}','24:00:00');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_time0) values ('00000000-0000-0000-0000-00000000023b','order','c_time0','T','{}','24:00:00');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_timetz) values ('00000000-0000-0000-0000-00000000023c','order','c_timetz','T','{}','24:00:00+00');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_texta) values ('00000000-0000-0000-0000-00000000023d','order','c_texta','T','{}','{a,"b c",NULL}');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_texta) values ('00000000-0000-0000-0000-00000000023e','order','c_texta','T','{}','{}');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_texta) values ('00000000-0000-0000-0000-00000000023f','order','c_texta','T','{}','{"q\"q"}');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_inta) values ('00000000-0000-0000-0000-000000000240','order','c_inta','T','{}','{1,2,NULL}');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_inta) values ('00000000-0000-0000-0000-000000000241','order','c_inta','T','{}','{{1,2},{3,4}}');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_bit3) values ('00000000-0000-0000-0000-000000000242','order','c_bit3','T','{}','101');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_varbit) values ('00000000-0000-0000-0000-000000000243','order','c_varbit','T','{}','101');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_point) values ('00000000-0000-0000-0000-000000000244','order','c_point','T','{}','(1,2.5)');
insert into outbox(id,aggregatetype,aggregateid,type,payload,c_tsvector) values ('00000000-0000-0000-0000-000000000245','order','c_tsvector','T','{}','a b');

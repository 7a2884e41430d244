BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE events (
	"match" VARCHAR(12) NOT NULL, 
	seq INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	seat INTEGER, 
	act TEXT NOT NULL, 
	PRIMARY KEY ("match", seq), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "events" VALUES('ZlFWrXfOx89l',1,1000000.0,0,'{"kind":"claim","name":""}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',2,1000000.0,1,'{"kind":"claim","name":"Bo"}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',3,1000012.5,0,'{"kind":"move","move":"r@1"}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',4,1000025.0,1,'{"kind":"move","move":"m@1"}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',5,1000037.5,0,'{"kind":"move","move":"r@2"}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',6,1000037.5,0,'{"kind":"name","name":"Ada Ω «L»"}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',7,1000037.5,0,'{"kind":"agree","matter":"takeback","about":null}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',8,1000037.5,1,'{"kind":"refuse","matter":"takeback"}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',9,1000038.75,0,'{"kind":"agree","matter":"takeback","about":null}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',10,1000038.75,1,'{"kind":"agree","matter":"takeback","about":null}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',11,1000038.75,NULL,'{"kind":"takeback","ply":2}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',12,1000038.75,0,'{"kind":"agree","matter":"hints","about":null}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',13,1000038.75,1,'{"kind":"agree","matter":"hints","about":null}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',14,1000038.75,0,'{"kind":"move","move":"o@2"}');
INSERT INTO "events" VALUES('Kj60pjY2CAp0',1,1000038.75,0,'{"kind":"claim","name":"Chloé"}');
INSERT INTO "events" VALUES('Kj60pjY2CAp0',2,1000038.75,1,'{"kind":"claim","name":"dé"}');
INSERT INTO "events" VALUES('Kj60pjY2CAp0',3,1000038.75,0,'{"kind":"move","move":"@a1+a2"}');
INSERT INTO "events" VALUES('Kj60pjY2CAp0',4,1000038.75,1,'{"kind":"move","move":"@e4+e5"}');
INSERT INTO "events" VALUES('Kj60pjY2CAp0',5,1000041.75,0,'{"kind":"agree","matter":"stop","about":null}');
INSERT INTO "events" VALUES('Kj60pjY2CAp0',6,1000041.75,0,'{"kind":"refuse","matter":"stop"}');
INSERT INTO "events" VALUES('Kj60pjY2CAp0',7,1000041.75,1,'{"kind":"agree","matter":"stop","about":null}');
INSERT INTO "events" VALUES('Kj60pjY2CAp0',8,1000041.75,0,'{"kind":"agree","matter":"stop","about":null}');
INSERT INTO "events" VALUES('Kj60pjY2CAp0',9,1000041.75,NULL,'{"kind":"end","winners":[],"reason":"equal","by":"agreement"}');
INSERT INTO "events" VALUES('Kj60pjY2CAp0',10,1000041.75,0,'{"kind":"agree","matter":"rematch","about":null}');
INSERT INTO "events" VALUES('Kj60pjY2CAp0',11,1000041.75,1,'{"kind":"agree","matter":"rematch","about":null}');
INSERT INTO "events" VALUES('Kj60pjY2CAp0',12,1000041.75,NULL,'{"kind":"rematch","match":"tUNfC0uVQ4eK"}');
INSERT INTO "events" VALUES('tUNfC0uVQ4eK',1,1000041.75,1,'{"kind":"claim","name":""}');
INSERT INTO "events" VALUES('tUNfC0uVQ4eK',2,1000041.75,0,'{"kind":"claim","name":""}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',1,1000041.75,0,'{"kind":"claim","name":"R"}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',2,1000041.75,1,'{"kind":"claim","name":"J"}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',3,1000041.75,2,'{"kind":"claim","name":"V"}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',4,1000041.75,3,'{"kind":"claim","name":"B"}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',5,1000041.75,0,'{"kind":"move","move":"r@1"}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',6,1000141.75,0,'{"kind":"agree","matter":"engine","about":1}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',7,1000141.75,2,'{"kind":"agree","matter":"engine","about":1}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',8,1000141.75,3,'{"kind":"agree","matter":"engine","about":1}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',9,1000141.75,NULL,'{"kind":"hand","about":1,"level":5,"lent":true}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',10,1000141.75,1,'{"kind":"move","move":"j@2"}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',11,1000141.75,1,'{"kind":"back"}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',12,1000141.75,1,'{"kind":"resign"}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',13,1000141.75,NULL,'{"kind":"hand","about":1,"level":5,"lent":false}');
INSERT INTO "events" VALUES('dHQ1q7Wg5gAW',14,1000141.75,2,'{"kind":"move","move":"v@3"}');
INSERT INTO "events" VALUES('p9NvDyB2lj2Y',1,1000141.75,0,'{"kind":"claim","name":""}');
INSERT INTO "events" VALUES('p9NvDyB2lj2Y',2,1000141.75,1,'{"kind":"claim","name":"Two"}');
INSERT INTO "events" VALUES('p9NvDyB2lj2Y',3,1000141.75,0,'{"kind":"move","move":"r@1"}');
INSERT INTO "events" VALUES('p9NvDyB2lj2Y',4,1000141.75,2,'{"kind":"move","move":"m@2"}');
INSERT INTO "events" VALUES('p9NvDyB2lj2Y',5,1000141.75,1,'{"kind":"move","move":"o@1"}');
INSERT INTO "events" VALUES('p9NvDyB2lj2Y',6,1000141.75,3,'{"kind":"move","move":"n@2"}');
INSERT INTO "events" VALUES('p9NvDyB2lj2Y',7,1000142.75,0,'{"kind":"resign"}');
INSERT INTO "events" VALUES('p9NvDyB2lj2Y',8,1000142.75,1,'{"kind":"resign"}');
INSERT INTO "events" VALUES('p9NvDyB2lj2Y',9,1000142.75,NULL,'{"kind":"end","winners":[2,3],"reason":"resignation","by":null}');
INSERT INTO "events" VALUES('YvWwJj2pQFtI',1,1000142.75,0,'{"kind":"move","move":"G2-G3"}');
INSERT INTO "events" VALUES('YvWwJj2pQFtI',2,1000142.75,1,'{"kind":"move","move":"B1-A1"}');
INSERT INTO "events" VALUES('YvWwJj2pQFtI',3,1000142.75,0,'{"kind":"agree","matter":"takeback","about":null}');
INSERT INTO "events" VALUES('YvWwJj2pQFtI',4,1000142.75,NULL,'{"kind":"takeback","ply":0}');
INSERT INTO "events" VALUES('YvWwJj2pQFtI',5,1000142.75,0,'{"kind":"move","move":"G2-F2"}');
INSERT INTO "events" VALUES('YvWwJj2pQFtI',6,1000142.75,1,'{"kind":"move","move":"B1-A1"}');
INSERT INTO "events" VALUES('YvWwJj2pQFtI',7,1000142.75,0,'{"kind":"resign"}');
INSERT INTO "events" VALUES('YvWwJj2pQFtI',8,1000142.75,NULL,'{"kind":"end","winners":[1],"reason":"resignation","by":null}');
INSERT INTO "events" VALUES('qUt76mRTZjgh',1,1000142.75,0,'{"kind":"move","move":"@A"}');
INSERT INTO "events" VALUES('qUt76mRTZjgh',2,1000142.75,1,'{"kind":"move","move":"@D"}');
INSERT INTO "events" VALUES('qUt76mRTZjgh',3,1000142.75,0,'{"kind":"move","move":"@1"}');
INSERT INTO "events" VALUES('qUt76mRTZjgh',4,1000142.75,1,'{"kind":"move","move":"@E"}');
INSERT INTO "events" VALUES('qUt76mRTZjgh',5,1000142.75,0,'{"kind":"move","move":"@2"}');
INSERT INTO "events" VALUES('qUt76mRTZjgh',6,1000142.75,1,'{"kind":"move","move":"@F"}');
INSERT INTO "events" VALUES('qUt76mRTZjgh',7,1000142.75,0,'{"kind":"move","move":"@C"}');
INSERT INTO "events" VALUES('qUt76mRTZjgh',8,1000142.75,NULL,'{"kind":"end","winners":[0],"reason":"line","by":null}');
INSERT INTO "events" VALUES('2nNMY0J4ayrH',1,1000142.75,0,'{"kind":"claim","name":"Eve"}');
INSERT INTO "events" VALUES('2nNMY0J4ayrH',2,1000142.75,1,'{"kind":"claim","name":"Fay"}');
INSERT INTO "events" VALUES('2nNMY0J4ayrH',3,1000142.75,0,'{"kind":"move","move":"@2"}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',15,1010142.75,NULL,'{"kind":"clock","lost":10000.0}');
INSERT INTO "events" VALUES('2nNMY0J4ayrH',4,1010142.75,NULL,'{"kind":"clock","lost":10000.0}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',16,1010747.75,1,'{"kind":"timeout"}');
INSERT INTO "events" VALUES('ZlFWrXfOx89l',17,1010747.75,NULL,'{"kind":"end","winners":[0],"reason":"time","by":null}');
CREATE TABLE keys (
	"match" VARCHAR(12) NOT NULL, 
	seat INTEGER NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	use VARCHAR(8) NOT NULL, 
	made FLOAT NOT NULL, 
	PRIMARY KEY ("match", seat, hash), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "keys" VALUES('ZlFWrXfOx89l',-1,'5b8a083e66d1c3d9292a9bf2d803a468fa850eae346d7e87a00c373770cab016','link',1000000.0);
INSERT INTO "keys" VALUES('ZlFWrXfOx89l',-1,'11487244a4bfaff278294506f07ac8cafa53d9ddde927a43aab6cb76953732d1','browser',1000000.0);
INSERT INTO "keys" VALUES('ZlFWrXfOx89l',0,'8de8a4afb2bd28523d7879189a1e679f80d9b624bf4f5a37673d03f798e82e3f','link',1000000.0);
INSERT INTO "keys" VALUES('ZlFWrXfOx89l',1,'30f25cc4de2d43da8fb2537d9cfa704ad9c138df8557b14d0cbf20efdba255cd','link',1000000.0);
INSERT INTO "keys" VALUES('ZlFWrXfOx89l',0,'c28303f1ebdab4b9c75dfca8d50a402f43e90af1ddd77a8e2b2741d3e099732b','browser',1000000.0);
INSERT INTO "keys" VALUES('ZlFWrXfOx89l',1,'ff5479ffce5f5b88f5b85e1a79564c6649f06844ccb1c64d5a12826362813840','browser',1000000.0);
INSERT INTO "keys" VALUES('Kj60pjY2CAp0',-1,'de43b508d30c2c81a05d64840c3c7b2640f69ac801cf633fed165fd613500564','link',1000038.75);
INSERT INTO "keys" VALUES('Kj60pjY2CAp0',-1,'081986e37b10550b187ed161d618eadee2758fd259653a1a6d110f8e76bf9397','browser',1000038.75);
INSERT INTO "keys" VALUES('Kj60pjY2CAp0',0,'e47a001917f52bb528c14a3c1ac6f588952777a14d13fe3b005050d7ebc9a9f8','link',1000038.75);
INSERT INTO "keys" VALUES('Kj60pjY2CAp0',1,'e2ab33a840c170432d0458fe70aff66c6c59b12e7a060d829e9d0d17a5667bf7','link',1000038.75);
INSERT INTO "keys" VALUES('Kj60pjY2CAp0',0,'324682378926be8020bf7657d696fd895b0105f29ce5f9ca2697de791ec55d67','browser',1000038.75);
INSERT INTO "keys" VALUES('Kj60pjY2CAp0',1,'3f6ad4fe3feaa18327ca3894e8dea35a644178c9092185ac2b0f57b042ba20c1','browser',1000038.75);
INSERT INTO "keys" VALUES('tUNfC0uVQ4eK',-1,'081986e37b10550b187ed161d618eadee2758fd259653a1a6d110f8e76bf9397','browser',1000041.75);
INSERT INTO "keys" VALUES('tUNfC0uVQ4eK',-1,'de43b508d30c2c81a05d64840c3c7b2640f69ac801cf633fed165fd613500564','link',1000041.75);
INSERT INTO "keys" VALUES('tUNfC0uVQ4eK',1,'324682378926be8020bf7657d696fd895b0105f29ce5f9ca2697de791ec55d67','browser',1000041.75);
INSERT INTO "keys" VALUES('tUNfC0uVQ4eK',1,'e47a001917f52bb528c14a3c1ac6f588952777a14d13fe3b005050d7ebc9a9f8','link',1000041.75);
INSERT INTO "keys" VALUES('tUNfC0uVQ4eK',0,'3f6ad4fe3feaa18327ca3894e8dea35a644178c9092185ac2b0f57b042ba20c1','browser',1000041.75);
INSERT INTO "keys" VALUES('tUNfC0uVQ4eK',0,'e2ab33a840c170432d0458fe70aff66c6c59b12e7a060d829e9d0d17a5667bf7','link',1000041.75);
INSERT INTO "keys" VALUES('dHQ1q7Wg5gAW',-1,'65df85e6e77e788890cb6eae6396060313c4d2066a1c934095709e2b016b5cbc','link',1000041.75);
INSERT INTO "keys" VALUES('dHQ1q7Wg5gAW',-1,'9eb40a5c5167fd72da7b909a0419fb4277d03f250bbc0f7ce8213a4d1a0e4159','browser',1000041.75);
INSERT INTO "keys" VALUES('dHQ1q7Wg5gAW',0,'52f237551d6fdecdcbdd1332b1ba6313c4f92eaf0e2943519f86ba2c30d15041','link',1000041.75);
INSERT INTO "keys" VALUES('dHQ1q7Wg5gAW',1,'f9bada79d40ec9187c56e1140a1a945335d1b4ec0f2662cd7f4801275544d24b','link',1000041.75);
INSERT INTO "keys" VALUES('dHQ1q7Wg5gAW',2,'f15c98aafbcdba3cd3f64d7029848f6bc8c286f08a9f5120ee0626456c57070d','link',1000041.75);
INSERT INTO "keys" VALUES('dHQ1q7Wg5gAW',3,'761ef3bb058c7afb55f47ef9ab00ba018d8cb7c1841fd04ba74ba7b22a2fba4a','link',1000041.75);
INSERT INTO "keys" VALUES('dHQ1q7Wg5gAW',0,'81b681412c4a8072ac4521519ed5d86afded993672e0809a432f2fdfb4b2deab','browser',1000041.75);
INSERT INTO "keys" VALUES('dHQ1q7Wg5gAW',1,'2fd40202a5643fbc56c556bc302e710e1f2ce2430da9262e858bb5620e12d36b','browser',1000041.75);
INSERT INTO "keys" VALUES('dHQ1q7Wg5gAW',2,'1858249c92cc76a76ab3ca64b2ff3c4ae8d6034ee49fe2d186bbdec70f7d8bf3','browser',1000041.75);
INSERT INTO "keys" VALUES('dHQ1q7Wg5gAW',3,'fed29010aca78ac7f900090d12451a62379b0ba43935289cc927e07f46ab0f2f','browser',1000041.75);
INSERT INTO "keys" VALUES('p9NvDyB2lj2Y',-1,'a280ec23d9d1ecb2921156d4b69e743fb525a575699c765e825fc2f70fd5af69','link',1000141.75);
INSERT INTO "keys" VALUES('p9NvDyB2lj2Y',-1,'84aba843dae3006cca540ad414e04bb94c470b1cdbaf98b2be1d3bc1594d773b','browser',1000141.75);
INSERT INTO "keys" VALUES('p9NvDyB2lj2Y',0,'198838063b5d474db3ba23ec867b60185757df8697bc8c3ce709c3d237bd160b','link',1000141.75);
INSERT INTO "keys" VALUES('p9NvDyB2lj2Y',1,'4d87b373ad945fe7b8ef5e903e5b727401ed471281b4066c1b24cc540728ad24','link',1000141.75);
INSERT INTO "keys" VALUES('p9NvDyB2lj2Y',2,'097c3ac534b5eb811658e8060f60ca228686dea49356b04b2cbb029d1138feac','link',1000141.75);
INSERT INTO "keys" VALUES('p9NvDyB2lj2Y',3,'63f6ac1a1bfcdd472a166b226262389a17c7dee43a1329a9b383e45ac8c9f915','link',1000141.75);
INSERT INTO "keys" VALUES('p9NvDyB2lj2Y',0,'6e5aab3023fe8687a0469983ff12b2dd6a597d484b3b8345ab4a2f8aef2eb677','browser',1000141.75);
INSERT INTO "keys" VALUES('p9NvDyB2lj2Y',1,'03d54ba848a66b68061f4017e9ac5d41b0babdeb6b24e5910014614fb43595a4','browser',1000141.75);
INSERT INTO "keys" VALUES('YvWwJj2pQFtI',-1,'f0f065573de3c5acc988445a6dbc8433a8545f16bfe84f9d0acf72a958664cec','link',1000142.75);
INSERT INTO "keys" VALUES('YvWwJj2pQFtI',-1,'c7edcdb4f3e98d0150cd86822219ae1b7f59205cb3483baad1cfa22ab2e02917','browser',1000142.75);
INSERT INTO "keys" VALUES('YvWwJj2pQFtI',0,'c7edcdb4f3e98d0150cd86822219ae1b7f59205cb3483baad1cfa22ab2e02917','browser',1000142.75);
INSERT INTO "keys" VALUES('qUt76mRTZjgh',-1,'89224e84726f5e099bdb645ba912e43fb1e1cdc4d0f53dcaa841948e6f734bc6','link',1000142.75);
INSERT INTO "keys" VALUES('qUt76mRTZjgh',-1,'b7d7782087bf5b71bd594e8cc1aa44a6e8d07e8cc6fb6d815b0b09c4a88f637a','browser',1000142.75);
INSERT INTO "keys" VALUES('qUt76mRTZjgh',0,'b7d7782087bf5b71bd594e8cc1aa44a6e8d07e8cc6fb6d815b0b09c4a88f637a','browser',1000142.75);
INSERT INTO "keys" VALUES('qUt76mRTZjgh',1,'b7d7782087bf5b71bd594e8cc1aa44a6e8d07e8cc6fb6d815b0b09c4a88f637a','browser',1000142.75);
INSERT INTO "keys" VALUES('2nNMY0J4ayrH',-1,'667af9b03ea1b8868e4d0dddc781f3ac75f42ca0f071a6131542eed7826f33d1','link',1000142.75);
INSERT INTO "keys" VALUES('2nNMY0J4ayrH',-1,'b43bf63345efbc1bd637497b97afcb77a30dc69abd6704ca0c6f8f8e8453cdcd','browser',1000142.75);
INSERT INTO "keys" VALUES('2nNMY0J4ayrH',0,'e5a30f1153ee4dda40fffa388c7de8415abbe48ccc8dec90ede698e8b325a227','link',1000142.75);
INSERT INTO "keys" VALUES('2nNMY0J4ayrH',1,'8c044de7d48112c16efe9ec82a5723d9c0fefe51fe26180d04f78d4dce9aaf97','link',1000142.75);
INSERT INTO "keys" VALUES('2nNMY0J4ayrH',0,'5c9342065ed812e053b54f7a81082516f9c40a8c0e3a2236bb958950a8246b09','browser',1000142.75);
INSERT INTO "keys" VALUES('2nNMY0J4ayrH',1,'060d574e3e2d0e802113637a13ccfa0060c3843a4afbb8dea72d0550b53e354a','browser',1000142.75);
INSERT INTO "keys" VALUES('QZWjChnT7yva',-1,'12c575abcc893bfce910d6a2ed050147532a72fb8002347935b47a54899a02f5','link',1000142.75);
INSERT INTO "keys" VALUES('QZWjChnT7yva',0,'797f250b5cd8b1b094d23290ba9ddf0e8bab0ad80f6063b8187a299cd181fce0','link',1000142.75);
INSERT INTO "keys" VALUES('nsBBlqKoP1qY',-1,'12c575abcc893bfce910d6a2ed050147532a72fb8002347935b47a54899a02f5','link',1000142.750001);
INSERT INTO "keys" VALUES('nsBBlqKoP1qY',0,'d03674902ebc2969e1df9578c302c25eac87c1db08db3bb21e4acb00d4ce1f75','link',1000142.750001);
CREATE TABLE matches (
	id VARCHAR(12) NOT NULL, 
	tag VARCHAR(60), 
	made FLOAT NOT NULL, 
	setup TEXT NOT NULL, 
	moves INTEGER NOT NULL, 
	waits VARCHAR(8) NOT NULL, 
	clocked INTEGER NOT NULL, 
	touched FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "matches" VALUES('ZlFWrXfOx89l',NULL,1000000.0,'{"game":"diam","seats":[{"kind":"friend","name":"Ada","level":null},{"kind":"friend","name":"","level":null}],"options":{"edition":"2003","players":"2"},"order":"given","position":null,"clock":{"minutes":10.0,"increment":5.0,"days":null},"tag":null}',3,'nobody',1,1010747.75);
INSERT INTO "matches" VALUES('Kj60pjY2CAp0','club-1',1000038.75,'{"game":"seega","seats":[{"kind":"friend","name":"","level":null},{"kind":"friend","name":"","level":null}],"options":{"size":"5","reach":"step","chain":"compulsory","blocked":"replay","quiet":"40"},"order":"given","position":null,"clock":null,"tag":"club-1"}',2,'nobody',0,1000041.75);
INSERT INTO "matches" VALUES('tUNfC0uVQ4eK','club-1',1000041.75,'{"game":"seega","seats":[{"kind":"friend","name":"dé","level":null},{"kind":"friend","name":"Chloé","level":null}],"options":{"size":"5","reach":"step","chain":"compulsory","blocked":"replay","quiet":"40"},"order":"given","position":null,"clock":null,"tag":"club-1"}',0,'people',0,1000041.75);
INSERT INTO "matches" VALUES('dHQ1q7Wg5gAW',NULL,1000041.75,'{"game":"diam","seats":[{"kind":"friend","name":"","level":null},{"kind":"friend","name":"","level":null},{"kind":"friend","name":"","level":null},{"kind":"friend","name":"","level":null}],"options":{"edition":"1997","players":"4"},"order":"given","position":null,"clock":null,"tag":null}',3,'people',0,1000141.75);
INSERT INTO "matches" VALUES('p9NvDyB2lj2Y',NULL,1000141.75,'{"game":"diam","seats":[{"kind":"friend","name":"","level":null},{"kind":"friend","name":"","level":null},{"kind":"friend","name":"","level":null},{"kind":"friend","name":"","level":null}],"options":{"edition":"2003","players":"4"},"order":"given","position":null,"clock":null,"tag":null}',4,'nobody',0,1000142.75);
INSERT INTO "matches" VALUES('YvWwJj2pQFtI',NULL,1000142.75,'{"game":"buts","seats":[{"kind":"me","name":"Zoé","level":null},{"kind":"engine","name":"","level":3}],"options":{},"order":"given","position":null,"clock":null,"tag":null}',2,'nobody',0,1000142.75);
INSERT INTO "matches" VALUES('qUt76mRTZjgh',NULL,1000142.75,'{"game":"diadema","seats":[{"kind":"me","name":"","level":null},{"kind":"here","name":"Noé","level":null}],"options":{},"order":"given","position":null,"clock":null,"tag":null}',7,'nobody',0,1000142.75);
INSERT INTO "matches" VALUES('2nNMY0J4ayrH',NULL,1000142.75,'{"game":"diadema","seats":[{"kind":"friend","name":"","level":null},{"kind":"friend","name":"","level":null}],"options":{},"order":"given","position":"c..ff../c...... turn=0","clock":{"minutes":null,"increment":0.0,"days":2.0},"tag":null}',1,'people',1,1010142.75);
INSERT INTO "matches" VALUES('QZWjChnT7yva','club-2',1000142.75,'{"game":"seega","seats":[{"kind":"friend","name":"Gil","level":null},{"kind":"engine","name":"","level":1}],"options":{"size":"7","reach":"slide","chain":"compulsory","blocked":"replay","quiet":"40"},"order":"given","position":null,"clock":null,"tag":"club-2"}',0,'people',0,1000142.75);
INSERT INTO "matches" VALUES('nsBBlqKoP1qY','club-2',1000142.750001,'{"game":"seega","seats":[{"kind":"friend","name":"Ÿ","level":null},{"kind":"engine","name":"","level":1}],"options":{"size":"7","reach":"slide","chain":"compulsory","blocked":"replay","quiet":"40"},"order":"given","position":null,"clock":null,"tag":"club-2"}',0,'people',0,1000142.750001);
CREATE INDEX ix_matches_tag ON matches (tag);
CREATE INDEX matches_waiting ON matches (waits, clocked);
CREATE INDEX ix_keys_hash ON keys (hash);
COMMIT;

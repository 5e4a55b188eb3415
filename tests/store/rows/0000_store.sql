-- kept: SELECT value = 41 FROM counters WHERE name = 'rows'
INSERT INTO counters (name, value) VALUES ('rows', 41);

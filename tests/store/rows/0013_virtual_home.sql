-- kept: SELECT value = 'true' AND before = 'false' AND shows_at = 1792000005000000 FROM virtual_values WHERE did = 'light_living' AND iid = 'prop.2.1'
-- kept: SELECT vals = '["水开了"]' AND done_by = 'command' FROM virtual_happenings WHERE number = 1
INSERT INTO virtual_values (did, iid, value, before, written_at, shows_at)
VALUES ('light_living', 'prop.2.1', 'true', 'false', 1792000000000000, 1792000005000000);
INSERT INTO virtual_happenings (number, at, did, iid, vals, done_by)
VALUES (1, 1792000000000000, 'speaker_living', 'action.5.1', '["水开了"]', 'command');

-- kept: SELECT media_type = 'image/png' AND width = 64 AND size = 3 AND content = 'YWJj' FROM pictures WHERE sha256 = 'f00d'
-- kept: SELECT sha256 = 'f00d' FROM notice_pictures WHERE task_id = 't8'
INSERT INTO pictures (sha256, media_type, width, height, size, content) VALUES ('f00d', 'image/png', 64, 48, 3, 'YWJj');
INSERT INTO notice_pictures (task_id, sha256) VALUES ('t8', 'f00d');

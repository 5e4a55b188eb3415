-- Pictures as they came, each once however often it was given; `content` is base64, because the databases share no type
-- for bytes, and stands last, so that reading the rest does not read it. Several matters of one picture share it.
CREATE TABLE pictures (
    sha256 TEXT PRIMARY KEY,
    media_type TEXT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    size BIGINT NOT NULL,
    content TEXT NOT NULL
);
CREATE TABLE notice_pictures (
    task_id TEXT PRIMARY KEY,
    sha256 TEXT NOT NULL
);

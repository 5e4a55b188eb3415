-- Document tasks: the folders of projects, what each task.md said when it was last read, and its runs. Instants are
-- microseconds since the epoch.
CREATE TABLE document_projects (
    path TEXT PRIMARY KEY,
    added_at BIGINT NOT NULL
);
-- `source` is the last text that could be read as a task, `fault` what is wrong with the file now (JSON of key and
-- values; null: nothing). `stamp` tells whether the file must be looked at again.
CREATE TABLE documents (
    project TEXT NOT NULL,
    folder TEXT NOT NULL,
    task_id TEXT,
    title TEXT NOT NULL,
    source TEXT NOT NULL,
    digest TEXT NOT NULL,
    stamp TEXT NOT NULL,
    fault TEXT,
    PRIMARY KEY (project, folder)
);
CREATE INDEX documents_by_title ON documents (project, title);
CREATE UNIQUE INDEX documents_by_task ON documents (task_id);
CREATE TABLE document_runs (
    id TEXT PRIMARY KEY,
    task_id TEXT NOT NULL,
    occurrence_id TEXT NOT NULL,
    trigger TEXT NOT NULL,
    reason TEXT NOT NULL,
    due BIGINT,
    attempt BIGINT NOT NULL,
    state TEXT NOT NULL,
    why TEXT NOT NULL,
    who TEXT NOT NULL,
    session_id TEXT NOT NULL,
    cancel_asked INTEGER NOT NULL,
    seal TEXT NOT NULL,
    ready_at BIGINT NOT NULL,
    queued_at BIGINT NOT NULL,
    started_at BIGINT,
    ended_at BIGINT
);
CREATE INDEX document_runs_by_task ON document_runs (task_id, id);
CREATE INDEX document_runs_open ON document_runs (ready_at, id) WHERE ended_at IS NULL;
CREATE INDEX document_runs_by_occurrence ON document_runs (occurrence_id);
-- Which channels the chat of a session is; none listed: its inbox only.
CREATE TABLE chat_sessions (
    session_id TEXT PRIMARY KEY,
    channels TEXT NOT NULL,
    bound_at BIGINT NOT NULL
);
-- Sentences that ask for a product, as they are talked about before a task is saved. `recognised` is JSON, empty while a
-- model has to read the sentence; `seen` is the revision that somebody has been shown last.
CREATE TABLE document_drafts (
    number BIGINT PRIMARY KEY,
    text TEXT NOT NULL,
    who TEXT NOT NULL,
    zone TEXT NOT NULL,
    said_at BIGINT NOT NULL,
    session_id TEXT NOT NULL,
    recognised TEXT NOT NULL,
    state TEXT NOT NULL,
    revision BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    task_id TEXT,
    note TEXT NOT NULL,
    key TEXT
);
CREATE UNIQUE INDEX document_drafts_by_key ON document_drafts (key) WHERE key IS NOT NULL;

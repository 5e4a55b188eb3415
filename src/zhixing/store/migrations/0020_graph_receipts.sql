-- Backups of single rules, taken before something was written over them; `hub` is `virtual` or the address of a real
-- one, `content` is the receipt as JSON. The last ones of each rule are kept.
CREATE TABLE graph_receipts (
    number BIGINT PRIMARY KEY,
    hub TEXT NOT NULL,
    graph_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    content TEXT NOT NULL
);
CREATE INDEX graph_receipts_graph ON graph_receipts (hub, graph_id, number);

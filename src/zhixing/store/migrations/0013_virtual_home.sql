-- What has become of the virtual home. `iid` names a property of a device, or `use` and `online` of cameras and devices;
-- what nobody changed has no row. Until `shows_at` the device still shows `before`. Values are JSON.
CREATE TABLE virtual_values (
    did TEXT NOT NULL,
    iid TEXT NOT NULL,
    value TEXT NOT NULL,
    before TEXT NOT NULL,
    written_at BIGINT NOT NULL,
    shows_at BIGINT NOT NULL,
    PRIMARY KEY (did, iid)
);
-- What happened there, about the last 10,000 things; `vals` is a JSON list.
CREATE TABLE virtual_happenings (
    number BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    did TEXT NOT NULL,
    iid TEXT NOT NULL,
    vals TEXT NOT NULL,
    done_by TEXT NOT NULL
);

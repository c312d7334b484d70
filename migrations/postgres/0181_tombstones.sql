CREATE TABLE tombstones (
    project_id UUID NOT NULL
        CONSTRAINT tombstones_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    kind TEXT NOT NULL
        CONSTRAINT tombstones_kind_check CHECK (kind IN ('user', 'trace')),
    hash BYTEA NOT NULL
        CONSTRAINT tombstones_hash_check CHECK (length(hash) = 32),
    until TIMESTAMPTZ NOT NULL,
    takes_trace BOOLEAN NOT NULL,
    dropped BIGINT NOT NULL,
    -- All of a project are read together.
    CONSTRAINT tombstones_pkey PRIMARY KEY (project_id, kind, hash)
);
COMMENT ON TABLE tombstones IS 'What of users who were forgotten is dropped when it arrives.';
COMMENT ON COLUMN tombstones.hash IS 'Of the id of the user, or of a trace, with the server''s key.';
COMMENT ON COLUMN tombstones.takes_trace IS 'Of a user: whether a trace in which they come takes its other spans along.';
COMMENT ON COLUMN tombstones.dropped IS 'Records that were dropped by it.';
-- Those that are over are forgotten.
CREATE INDEX tombstones_until_idx ON tombstones (until);

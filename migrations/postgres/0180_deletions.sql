CREATE TABLE deletions (
    id UUID CONSTRAINT deletions_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT deletions_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    subject BYTEA NOT NULL
        CONSTRAINT deletions_subject_check CHECK (length(subject) = 32),
    user_id TEXT,
    state TEXT NOT NULL
        CONSTRAINT deletions_state_check
        CHECK (state IN ('queued', 'deleting', 'purging', 'verified', 'failed')),
    shared_traces TEXT NOT NULL
        CONSTRAINT deletions_shared_traces_check CHECK (shared_traces IN ('whole_trace', 'own_spans')),
    counts JSONB NOT NULL,
    requested_by TEXT NOT NULL,
    requested_at TIMESTAMPTZ NOT NULL,
    verified_at TIMESTAMPTZ,
    tombstone_until TIMESTAMPTZ NOT NULL,
    fault TEXT,
    -- Not JSONB: it is given out as it was signed.
    certificate JSON,
    tries INTEGER NOT NULL,
    held_until TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE deletions IS 'Users of applications who are forgotten, and who were.';
COMMENT ON COLUMN deletions.subject IS 'Hash of the user''s id with the server''s key.';
COMMENT ON COLUMN deletions.user_id IS 'The id itself, for as long as it is looked for; NULL once nothing of it is left.';
COMMENT ON COLUMN deletions.counts IS 'What was found, by store.';
COMMENT ON COLUMN deletions.requested_by IS 'key:ID, person:ID, operator or server.';
COMMENT ON COLUMN deletions.tries IS 'How often it was taken up without coming to an end.';
COMMENT ON COLUMN deletions.held_until IS 'Until then a server works on it; afterwards any server may take it up.';
-- Who asks again while one is under way means that one.
CREATE UNIQUE INDEX deletions_under_way_key ON deletions (project_id, subject)
    WHERE state IN ('queued', 'deleting', 'purging');
-- Those of a project, the newest first.
CREATE INDEX deletions_project_id_idx ON deletions (project_id, requested_at DESC, id DESC);
-- What a server may take up.
CREATE INDEX deletions_due_idx ON deletions (held_until) WHERE state IN ('queued', 'deleting', 'purging');

CREATE TABLE deletion_things (
    deletion_id UUID NOT NULL
        CONSTRAINT deletion_things_deletion_id_fkey REFERENCES deletions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL
        CONSTRAINT deletion_things_kind_check CHECK (kind IN ('trace', 'shared', 'session', 'item')),
    id TEXT NOT NULL,
    -- Read by both, or all of a deletion.
    CONSTRAINT deletion_things_pkey PRIMARY KEY (deletion_id, kind, id)
);
COMMENT ON TABLE deletion_things IS 'What was found of a user, so that a deletion that broke off goes on; it goes when that is verified.';
COMMENT ON COLUMN deletion_things.kind IS 'trace: goes as a whole; shared: of several users, spans of this one go; session: of this user alone; item: of a dataset.';

CREATE TABLE bulk_jobs (
    id UUID CONSTRAINT bulk_jobs_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT bulk_jobs_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    person_id UUID NOT NULL
        CONSTRAINT bulk_jobs_person_id_fkey REFERENCES people (id) ON DELETE CASCADE,
    action JSONB NOT NULL,
    filter JSONB NOT NULL,
    state TEXT NOT NULL
        CONSTRAINT bulk_jobs_state_check CHECK (state IN ('running', 'done', 'cancelled', 'failed')),
    done BIGINT NOT NULL,
    total BIGINT,
    skipped BIGINT NOT NULL,
    fault TEXT,
    place TEXT,
    tries INTEGER NOT NULL,
    held_until TIMESTAMPTZ NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE bulk_jobs IS 'What is done to many traces at once, and what was.';
COMMENT ON COLUMN bulk_jobs.person_id IS 'Who asked for it: it is done with the rights that they have at that time.';
COMMENT ON COLUMN bulk_jobs.skipped IS 'Traces that it could not be done to.';
COMMENT ON COLUMN bulk_jobs.place IS 'The last trace that was looked at; NULL: none yet. It goes on from there after a restart.';
COMMENT ON COLUMN bulk_jobs.tries IS 'How often it was taken up without going on.';
COMMENT ON COLUMN bulk_jobs.held_until IS 'Until then a server works on it; afterwards any server may take it up.';
-- The jobs of a project, the newest first; how many of them run is counted here, too.
CREATE INDEX bulk_jobs_project_id_idx ON bulk_jobs (project_id, created_at);
-- What a server may take up.
CREATE INDEX bulk_jobs_running_idx ON bulk_jobs (held_until) WHERE state = 'running';

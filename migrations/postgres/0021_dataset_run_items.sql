CREATE TABLE dataset_run_items (
    id UUID CONSTRAINT dataset_run_items_pkey PRIMARY KEY,
    project_id UUID NOT NULL,
    run_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    observation_id TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT dataset_run_items_run_id_fkey
        FOREIGN KEY (project_id, run_id) REFERENCES dataset_runs (project_id, id) ON DELETE CASCADE,
    -- Clients repeat a request whose answer was lost: the same link is the same row.
    CONSTRAINT dataset_run_items_link_key
        UNIQUE NULLS NOT DISTINCT (project_id, run_id, item_id, trace_id, observation_id)
);
COMMENT ON TABLE dataset_run_items IS 'Which trace, or observation, a run made of which item. The item may be deleted since, the trace may not have come yet.';
-- Links of a run are listed newest first, and so are those of a project.
CREATE INDEX dataset_run_items_run_id_idx
    ON dataset_run_items (project_id, run_id, created_at);
CREATE INDEX dataset_run_items_project_id_idx ON dataset_run_items (project_id, created_at);

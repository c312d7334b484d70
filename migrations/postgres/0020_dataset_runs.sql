CREATE TABLE dataset_runs (
    project_id UUID NOT NULL
        CONSTRAINT dataset_runs_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    dataset_id UUID NOT NULL
        CONSTRAINT dataset_runs_dataset_id_fkey REFERENCES datasets (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    description TEXT,
    metadata JSON NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    is_deleted BOOLEAN NOT NULL,
    -- Ids follow from project, dataset and name (domain::dataset::RunId), not from chance.
    CONSTRAINT dataset_runs_pkey PRIMARY KEY (project_id, id)
);
COMMENT ON TABLE dataset_runs IS 'Runs of an application over a dataset that clients linked item by item.';
COMMENT ON COLUMN dataset_runs.metadata IS 'An object; null: none.';
COMMENT ON COLUMN dataset_runs.is_deleted IS 'Whether it was deleted, and holds nothing. The row stays, for spans may still tell of the run.';
-- Runs are asked for by name. Of one name there may be several ids, if clients chose them.
CREATE INDEX dataset_runs_dataset_id_name_idx ON dataset_runs (dataset_id, name);
-- Runs of a dataset, and experiments of a project, are listed newest first.
CREATE INDEX dataset_runs_dataset_id_created_at_idx ON dataset_runs (dataset_id, created_at);
CREATE INDEX dataset_runs_project_id_created_at_idx ON dataset_runs (project_id, created_at);

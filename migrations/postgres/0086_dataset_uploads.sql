CREATE TABLE dataset_uploads (
    -- An upload is asked for by its id, which stands in the address of its preview.
    id UUID CONSTRAINT dataset_uploads_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT dataset_uploads_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    dataset_id UUID NOT NULL
        CONSTRAINT dataset_uploads_dataset_id_fkey REFERENCES datasets (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    content BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE dataset_uploads IS 'Files between their upload and their import into a dataset; they are forgotten after an hour.';
-- The old ones are forgotten with each upload, and a dataset takes its uploads along.
CREATE INDEX dataset_uploads_created_at_idx ON dataset_uploads (created_at);
CREATE INDEX dataset_uploads_dataset_id_idx ON dataset_uploads (dataset_id);
CREATE INDEX dataset_uploads_project_id_idx ON dataset_uploads (project_id);

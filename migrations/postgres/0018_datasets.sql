CREATE TABLE datasets (
    id UUID CONSTRAINT datasets_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT datasets_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    description TEXT,
    metadata JSON NOT NULL,
    input_schema JSON,
    expected_output_schema JSON,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    -- Programs know a dataset by its name; whoever writes the name again means the same dataset.
    CONSTRAINT datasets_project_id_name_key UNIQUE (project_id, name)
);
COMMENT ON TABLE datasets IS 'Inputs to try an application with, and what it should answer.';
COMMENT ON COLUMN datasets.metadata IS 'Any JSON; null: none.';
COMMENT ON COLUMN datasets.input_schema IS 'JSON schema that inputs of its items follow; NULL: none.';
COMMENT ON COLUMN datasets.expected_output_schema IS 'JSON schema that expected outputs of its items follow; NULL: none.';
-- Lists are newest first.
CREATE INDEX datasets_project_id_created_at_idx ON datasets (project_id, created_at);

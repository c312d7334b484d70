CREATE TABLE score_configs (
    id UUID CONSTRAINT score_configs_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT score_configs_project_id_fkey REFERENCES projects (id),
    name TEXT NOT NULL,
    data_type TEXT NOT NULL
        CONSTRAINT score_configs_data_type_check
        CHECK (data_type IN ('NUMERIC', 'CATEGORICAL', 'BOOLEAN', 'TEXT')),
    min_value DOUBLE PRECISION,
    max_value DOUBLE PRECISION,
    categories JSON,
    description TEXT,
    is_archived BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE score_configs IS 'What scores may be that follow a configuration. None is ever deleted: scores refer to it.';
COMMENT ON COLUMN score_configs.name IS 'The name that its scores have. Two configurations may have the same.';
COMMENT ON COLUMN score_configs.categories IS 'List of {label, value} of a CATEGORICAL one, in the order in which they are offered.';
CREATE INDEX score_configs_project_id_idx ON score_configs (project_id, created_at);

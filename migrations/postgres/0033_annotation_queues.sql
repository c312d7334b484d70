CREATE TABLE annotation_queues (
    id UUID CONSTRAINT annotation_queues_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT annotation_queues_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    description TEXT,
    score_config_ids UUID[] NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    -- Clients find a queue by its name; lists of a project start from the project, too.
    CONSTRAINT annotation_queues_project_id_name_key UNIQUE (project_id, name)
);
COMMENT ON TABLE annotation_queues IS 'What people are asked to judge, and by which score configurations.';
COMMENT ON COLUMN annotation_queues.score_config_ids IS 'Of the same project, in the order in which they are asked. Configurations are never deleted, so that no row of its own is needed for each.';

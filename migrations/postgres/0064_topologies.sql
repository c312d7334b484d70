CREATE TABLE topologies (
    -- A project has one, and it is read by it alone.
    project_id UUID CONSTRAINT topologies_pkey PRIMARY KEY
        CONSTRAINT topologies_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    rules JSONB NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE topologies IS 'How requests of a project find the instance that served them, and instances their GPUs, where the project has rules of its own.';
COMMENT ON COLUMN topologies.rules IS 'Rules in the order in which they are tried, from requests to instances and from these to GPUs.';
COMMENT ON COLUMN topologies.updated_at IS 'When they were last set.';

CREATE TABLE projects (
    id UUID CONSTRAINT projects_pkey PRIMARY KEY,
    organisation_id UUID NOT NULL
        CONSTRAINT projects_organisation_id_fkey REFERENCES organisations (id),
    name TEXT NOT NULL,
    external_id TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT projects_organisation_id_name_key UNIQUE (organisation_id, name)
);
COMMENT ON TABLE projects IS 'The border of every tenant: telemetry, keys and settings belong to one.';
COMMENT ON COLUMN projects.external_id IS 'Text that the operator gave as id; id is derived from it.';

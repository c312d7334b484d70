CREATE TABLE alert_rules (
    id UUID CONSTRAINT alert_rules_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT alert_rules_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    params JSONB NOT NULL,
    series TEXT,
    filter JSONB NOT NULL,
    for_s INTEGER NOT NULL,
    severity TEXT NOT NULL
        CONSTRAINT alert_rules_severity_check CHECK (severity IN ('P1', 'P2', 'P3')),
    channels UUID[] NOT NULL,
    enabled BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    -- A name is given once, and its index lists those of a project.
    CONSTRAINT alert_rules_project_id_name_key UNIQUE (project_id, name)
);
COMMENT ON TABLE alert_rules IS 'When projects want to be told.';
COMMENT ON COLUMN alert_rules.params IS 'Parameters of the kind, all of them.';
COMMENT ON COLUMN alert_rules.series IS 'Series with its aggregate; NULL: the rule watches other rules.';
COMMENT ON COLUMN alert_rules.channels IS 'Where messages go; ids of channels that are gone mean nothing.';

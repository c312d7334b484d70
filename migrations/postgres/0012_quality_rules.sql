CREATE TABLE quality_rules (
    id UUID CONSTRAINT quality_rules_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT quality_rules_project_id_fkey REFERENCES projects (id),
    definition JSONB NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE quality_rules IS 'What a project expects of the answers of some calls, for the hard checks.';
COMMENT ON COLUMN quality_rules.definition IS 'Which calls it is for, and what their answers should be.';
CREATE INDEX quality_rules_project_id_idx ON quality_rules (project_id);

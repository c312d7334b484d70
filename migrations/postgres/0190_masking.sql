CREATE TABLE masking_settings (
    -- A project has one row, or masks nothing.
    project_id UUID CONSTRAINT masking_settings_pkey PRIMARY KEY
        CONSTRAINT masking_settings_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    definition JSONB NOT NULL
);
COMMENT ON TABLE masking_settings IS 'What projects do not want stored.';

CREATE TABLE masking_counts (
    project_id UUID NOT NULL
        CONSTRAINT masking_counts_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    day DATE NOT NULL,
    rule TEXT NOT NULL,
    found BIGINT NOT NULL,
    CONSTRAINT masking_counts_pkey PRIMARY KEY (project_id, day, rule)
);
COMMENT ON TABLE masking_counts IS 'How often each rule found something, by day in UTC.';

CREATE TABLE alert_settings (
    -- A project has one row, asked for by it.
    project_id UUID CONSTRAINT alert_settings_pkey PRIMARY KEY
        CONSTRAINT alert_settings_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    settings JSONB NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE alert_settings IS 'What projects set for all their alert rules: time zone, numbers of baselines, delay.';

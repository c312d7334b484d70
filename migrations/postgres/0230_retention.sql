CREATE TABLE retention_settings (
    -- A project has one row, or keeps everything.
    project_id UUID CONSTRAINT retention_settings_pkey PRIMARY KEY
        CONSTRAINT retention_settings_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    definition JSONB,
    due_at TIMESTAMPTZ NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    verified_at TIMESTAMPTZ,
    outcome JSONB
);
COMMENT ON TABLE retention_settings IS 'How long projects keep what, and what the last look for older things found.';
COMMENT ON COLUMN retention_settings.definition IS 'Days by tier and environment; NULL: the days of the project itself, see projects.retention_days.';
COMMENT ON COLUMN retention_settings.due_at IS 'When it is looked for older things again; moved ahead by the server that does, so that others leave it alone.';
COMMENT ON COLUMN retention_settings.tries IS 'Looks that broke off since the last that came to its end.';
COMMENT ON COLUMN retention_settings.outcome IS 'What the last look removed, and what it found past its time afterwards, by store.';
-- What a server may take up.
CREATE INDEX retention_settings_due_at_idx ON retention_settings (due_at);
COMMENT ON COLUMN projects.retention_days IS 'How many days telemetry is kept where nothing else is set; 0: for ever.';
-- Projects that named their days before keep to them from now on.
INSERT INTO retention_settings (project_id, due_at)
SELECT id, now() FROM projects WHERE retention_days > 0;

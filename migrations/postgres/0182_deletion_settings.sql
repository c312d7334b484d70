CREATE TABLE deletion_settings (
    -- A project has one row, or what is usual.
    project_id UUID CONSTRAINT deletion_settings_pkey PRIMARY KEY
        CONSTRAINT deletion_settings_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    shared_traces TEXT NOT NULL
        CONSTRAINT deletion_settings_shared_traces_check
        CHECK (shared_traces IN ('whole_trace', 'own_spans')),
    tombstone_days INTEGER NOT NULL
        CONSTRAINT deletion_settings_tombstone_days_check CHECK (tombstone_days BETWEEN 1 AND 3650)
);
COMMENT ON TABLE deletion_settings IS 'How projects forget users.';

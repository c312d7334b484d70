ALTER TABLE organisations
    ADD COLUMN metadata JSON;
COMMENT ON COLUMN organisations.metadata IS 'What programs keep beside it: an object, or NULL for none.';
ALTER TABLE projects
    ADD COLUMN metadata JSON,
    ADD COLUMN retention_days INTEGER NOT NULL DEFAULT 0
        CONSTRAINT projects_retention_days_check CHECK (retention_days = 0 OR retention_days >= 3),
    ADD COLUMN updated_at TIMESTAMPTZ;
COMMENT ON COLUMN projects.metadata IS 'What programs keep beside it: an object, or NULL for none.';
COMMENT ON COLUMN projects.retention_days IS 'How many days telemetry is wanted for; 0: for ever. Nothing is deleted by it yet.';
COMMENT ON COLUMN projects.updated_at IS 'Last change of its name, metadata or retention; NULL: never changed.';

CREATE TABLE audit_log (
    -- Entries are read and carried on in the order in which they were written.
    id BIGINT GENERATED ALWAYS AS IDENTITY CONSTRAINT audit_log_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT audit_log_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    at TIMESTAMPTZ NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    object TEXT NOT NULL,
    before JSONB NOT NULL,
    after JSONB NOT NULL
);
COMMENT ON TABLE audit_log IS 'Who changed what and when. Rows are written and never changed.';
COMMENT ON COLUMN audit_log.actor IS 'server, operator, key:ID or person:ID.';
COMMENT ON COLUMN audit_log.action IS 'What was done: prompt.rollback.';
COMMENT ON COLUMN audit_log.object IS 'What it was done to: prompt:NAME.';
COMMENT ON COLUMN audit_log.before IS 'What was changed, as it was; JSON null: it was not there.';
-- Those of a project in their order.
CREATE INDEX audit_log_project_id_idx ON audit_log (project_id, id);

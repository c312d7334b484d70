CREATE TABLE business_events (
    project_id UUID NOT NULL
        CONSTRAINT business_events_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    kind TEXT NOT NULL
        CONSTRAINT business_events_kind_check CHECK (kind IN ('ticket', 'conversion', 'sla_breach', 'custom')),
    name TEXT,
    at TIMESTAMPTZ NOT NULL,
    trace_id TEXT,
    user_id TEXT,
    session_id TEXT,
    ab_group TEXT,
    value DOUBLE PRECISION,
    attributes JSONB NOT NULL,
    -- An event that is sent again under its id is the same one.
    CONSTRAINT business_events_pkey PRIMARY KEY (project_id, id)
);
COMMENT ON TABLE business_events IS 'What happened in the business: few beside telemetry, answered for when they are stored, and deleted by trace, user or session.';
COMMENT ON COLUMN business_events.id IS 'As its sender gave it, or made here.';
COMMENT ON COLUMN business_events.name IS 'Which kind of custom event; NULL of the others.';
COMMENT ON COLUMN business_events.ab_group IS 'Group of an experiment on users.';
COMMENT ON COLUMN business_events.value IS 'What it was worth, in the unit of its sender.';
-- Lists and analyses are of a range of time.
CREATE INDEX business_events_at_idx ON business_events (project_id, at, id);
-- They go with their trace.
CREATE INDEX business_events_trace_id_idx ON business_events (project_id, trace_id) WHERE trace_id IS NOT NULL;
-- And with their user.
CREATE INDEX business_events_user_id_idx ON business_events (project_id, user_id) WHERE user_id IS NOT NULL;

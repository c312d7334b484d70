CREATE TABLE incident_attributions (
    -- An incident has one.
    incident_id UUID CONSTRAINT incident_attributions_pkey PRIMARY KEY
        CONSTRAINT incident_attributions_incident_id_fkey REFERENCES incidents (id) ON DELETE CASCADE,
    project_id UUID NOT NULL
        CONSTRAINT incident_attributions_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    symptom JSONB NOT NULL,
    state TEXT NOT NULL
        CONSTRAINT incident_attributions_state_check
        CHECK (state IN ('waiting', 'provisional', 'final', 'failed')),
    tries INTEGER NOT NULL,
    next_at TIMESTAMPTZ NOT NULL,
    -- Not JSONB: fields keep their order, and texts may hold what JSONB refuses.
    answer JSON,
    attached_at TIMESTAMPTZ,
    last_error TEXT
);
COMMENT ON TABLE incident_attributions IS 'What the symptoms of incidents come from. A row is written together with its incident, and filled in later.';
COMMENT ON COLUMN incident_attributions.symptom IS 'What is asked: series, direction, filter, since when; as the rule had it.';
COMMENT ON COLUMN incident_attributions.state IS 'waiting: nothing yet; provisional: to be looked at again when its window has closed.';
COMMENT ON COLUMN incident_attributions.answer IS 'As POST /api/v1/attributions gives it.';
-- Servers look every second for what is due.
CREATE INDEX incident_attributions_due_idx ON incident_attributions (next_at)
    WHERE state IN ('waiting', 'provisional');

CREATE TABLE incidents (
    id UUID CONSTRAINT incidents_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT incidents_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    rule_id UUID
        CONSTRAINT incidents_rule_id_fkey REFERENCES alert_rules (id) ON DELETE SET NULL,
    subject JSONB NOT NULL,
    severity TEXT NOT NULL,
    state TEXT NOT NULL
        CONSTRAINT incidents_state_check CHECK (state IN ('open', 'acknowledged', 'resolved')),
    suppressed_by UUID,
    onset TIMESTAMPTZ NOT NULL,
    fired_at TIMESTAMPTZ NOT NULL,
    acknowledged_at TIMESTAMPTZ,
    resolved_at TIMESTAMPTZ,
    resolution TEXT
);
COMMENT ON TABLE incidents IS 'What came of alert rules.';
COMMENT ON COLUMN incidents.id IS 'Follows from rule, group and fired_at: whoever works it out again finds the same.';
COMMENT ON COLUMN incidents.subject IS 'Rule, series, group and reading as they were.';
COMMENT ON COLUMN incidents.suppressed_by IS 'The composite rule that keeps it silent; NULL: it is told.';
-- Lists show a project's newest first.
CREATE INDEX incidents_project_id_fired_at_idx ON incidents (project_id, fired_at DESC, id DESC);
-- What goes on of a rule is looked for when that changes.
CREATE INDEX incidents_rule_id_idx ON incidents (rule_id) WHERE state <> 'resolved';

CREATE TABLE incident_moments (
    incident_id UUID NOT NULL
        CONSTRAINT incident_moments_incident_id_fkey REFERENCES incidents (id) ON DELETE CASCADE,
    at TIMESTAMPTZ NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL,
    -- Read with their incident, in order; the same moment is written once.
    CONSTRAINT incident_moments_pkey PRIMARY KEY (incident_id, at, what, detail)
);
COMMENT ON TABLE incident_moments IS 'Time lines of incidents.';

CREATE TABLE alert_progress (
    -- A project has one row: all its rules are looked at together.
    project_id UUID CONSTRAINT alert_progress_pkey PRIMARY KEY
        CONSTRAINT alert_progress_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    evaluated_until TIMESTAMPTZ NOT NULL,
    next_at TIMESTAMPTZ NOT NULL,
    claim UUID,
    held_until TIMESTAMPTZ,
    boosted_until TIMESTAMPTZ,
    last_error TEXT
);
COMMENT ON TABLE alert_progress IS 'How far the rules of projects are looked at. It has a row where there is a rule.';
COMMENT ON COLUMN alert_progress.evaluated_until IS 'The last step that was looked at, in the time of telemetry.';
COMMENT ON COLUMN alert_progress.claim IS 'Names the server''s turn; whoever has lost it writes nothing any more.';
COMMENT ON COLUMN alert_progress.boosted_until IS 'Until then all requests are recorded with their token spans.';
-- Servers look every second for what is due.
CREATE INDEX alert_progress_next_at_idx ON alert_progress (next_at);

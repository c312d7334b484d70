CREATE TABLE rollbacks (
    id UUID CONSTRAINT rollbacks_pkey PRIMARY KEY,
    project_id UUID NOT NULL
        CONSTRAINT rollbacks_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    prompt_name TEXT NOT NULL,
    label TEXT NOT NULL,
    from_version INTEGER NOT NULL,
    to_version INTEGER,
    incident_id UUID
        CONSTRAINT rollbacks_incident_id_fkey REFERENCES incidents (id) ON DELETE SET NULL,
    is_automatic BOOLEAN NOT NULL,
    actor TEXT NOT NULL,
    state TEXT NOT NULL
        CONSTRAINT rollbacks_state_check
        CHECK (state IN ('waiting', 'suggested', 'applied', 'refused', 'undone')),
    reason TEXT NOT NULL,
    checks JSONB NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    next_at TIMESTAMPTZ NOT NULL,
    decided_at TIMESTAMPTZ,
    undone_at TIMESTAMPTZ,
    undone_by TEXT,
    recovered_at TIMESTAMPTZ
);
COMMENT ON TABLE rollbacks IS 'Labels of prompts that went back to another version, or might: the history, and what is still to be decided.';
COMMENT ON COLUMN rollbacks.prompt_name IS 'The name, not its id: the history outlives the prompt.';
COMMENT ON COLUMN rollbacks.is_automatic IS 'Whether it came of an attribution, and not of somebody''s request.';
COMMENT ON COLUMN rollbacks.actor IS 'server, key:ID or person:ID.';
COMMENT ON COLUMN rollbacks.checks IS 'What the safety net said: JSON [{metric, target_7d, current, limit, ok …}].';
COMMENT ON COLUMN rollbacks.next_at IS 'When it is to be decided, or decided anew after a server stopped in the middle.';
-- An incident moves a label once by itself, however often its attribution is told; an incident shows its own.
CREATE UNIQUE INDEX rollbacks_incident_id_label_key ON rollbacks (incident_id, label)
    WHERE is_automatic;
CREATE INDEX rollbacks_incident_id_idx ON rollbacks (incident_id);
-- The history of a prompt, the newest first.
CREATE INDEX rollbacks_project_id_prompt_name_idx
    ON rollbacks (project_id, prompt_name, created_at DESC, id DESC);
-- Servers look every second for what is due.
CREATE INDEX rollbacks_due_idx ON rollbacks (next_at) WHERE state = 'waiting';

ALTER TABLE notifications
    DROP CONSTRAINT notifications_occasion_check,
    ADD CONSTRAINT notifications_occasion_check
        CHECK (occasion IN ('fired', 'rolled_back', 'rollback_suggested', 'resolved'));

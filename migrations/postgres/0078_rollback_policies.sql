ALTER TABLE prompt_labels ADD COLUMN previous_version_id UUID
    CONSTRAINT prompt_labels_previous_version_id_fkey
        REFERENCES prompt_versions (id) ON DELETE SET NULL;
COMMENT ON COLUMN prompt_labels.previous_version_id IS 'The version that it stood on before; NULL: none, or it is deleted.';
-- Looked through when a version is deleted.
CREATE INDEX prompt_labels_previous_version_id_idx ON prompt_labels (previous_version_id);

CREATE TABLE rollback_policies (
    prompt_id UUID NOT NULL
        CONSTRAINT rollback_policies_prompt_id_fkey REFERENCES prompts (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    mode TEXT NOT NULL
        CONSTRAINT rollback_policies_mode_check CHECK (mode IN ('off', 'suggest', 'auto')),
    limits JSONB NOT NULL,
    moves_protected BOOLEAN NOT NULL,
    updated_by TEXT NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    -- A label of a prompt has one, asked for by both or by the prompt.
    CONSTRAINT rollback_policies_pkey PRIMARY KEY (prompt_id, label)
);
COMMENT ON TABLE rollback_policies IS 'What becomes of labels of prompts when an incident is laid to the version that they stand on.';
COMMENT ON COLUMN rollback_policies.limits IS 'How far the version that a label would go to may be from what was usual.';
COMMENT ON COLUMN rollback_policies.moves_protected IS 'Whether it was set by somebody who may move protected labels.';

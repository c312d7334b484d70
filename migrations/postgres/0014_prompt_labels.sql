CREATE TABLE prompt_labels (
    prompt_id UUID NOT NULL
        CONSTRAINT prompt_labels_prompt_id_fkey REFERENCES prompts (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    version_id UUID NOT NULL
        CONSTRAINT prompt_labels_version_id_fkey REFERENCES prompt_versions (id) ON DELETE CASCADE,
    since TIMESTAMPTZ NOT NULL,
    place INTEGER NOT NULL,
    -- A label stands on one version of a name.
    CONSTRAINT prompt_labels_pkey PRIMARY KEY (prompt_id, label)
);
COMMENT ON TABLE prompt_labels IS 'Names of versions that move.';
COMMENT ON COLUMN prompt_labels.place IS 'Place among the labels that were given together, to show them in the order given.';
CREATE INDEX prompt_labels_version_id_idx ON prompt_labels (version_id);

CREATE TABLE protected_labels (
    project_id UUID NOT NULL
        CONSTRAINT protected_labels_project_id_fkey REFERENCES projects (id),
    label TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT protected_labels_pkey PRIMARY KEY (project_id, label)
);
COMMENT ON TABLE protected_labels IS 'Labels that only an owner or admin of the project gives, moves or deletes.';

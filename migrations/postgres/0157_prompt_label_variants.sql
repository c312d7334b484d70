-- A label under test gives several versions, each with its weight. The version that it stands on is one of them.
CREATE TABLE prompt_label_variants (
    prompt_id UUID NOT NULL,
    label TEXT NOT NULL,
    version_id UUID NOT NULL
        CONSTRAINT prompt_label_variants_version_id_fkey REFERENCES prompt_versions (id) ON DELETE CASCADE,
    weight INTEGER NOT NULL
        CONSTRAINT prompt_label_variants_weight_check CHECK (weight BETWEEN 1 AND 999),
    since TIMESTAMPTZ NOT NULL,
    CONSTRAINT prompt_label_variants_pkey PRIMARY KEY (prompt_id, label, version_id),
    CONSTRAINT prompt_label_variants_label_fkey
        FOREIGN KEY (prompt_id, label) REFERENCES prompt_labels (prompt_id, label) ON DELETE CASCADE
);
COMMENT ON TABLE prompt_label_variants IS 'Labels under test: which share of reads gets which version. A label without rows gives the version that it stands on.';
COMMENT ON COLUMN prompt_label_variants.weight IS 'Thousandths; those of a label add up to 1000.';
COMMENT ON COLUMN prompt_label_variants.since IS 'When these weights were set.';
CREATE INDEX prompt_label_variants_version_id_idx ON prompt_label_variants (version_id);

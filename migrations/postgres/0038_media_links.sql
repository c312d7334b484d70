CREATE TABLE media_links (
    project_id UUID NOT NULL,
    media_id TEXT NOT NULL,
    trace_id TEXT,
    observation_id TEXT,
    dataset_id TEXT,
    dataset_item_id TEXT,
    field TEXT NOT NULL
        CONSTRAINT media_links_field_check
        CHECK (field IN ('input', 'output', 'metadata', 'expectedOutput')),
    created_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT media_links_media_fkey
        FOREIGN KEY (project_id, media_id) REFERENCES media (project_id, media_id) ON DELETE CASCADE,
    CONSTRAINT media_links_owner_check CHECK (
        (trace_id IS NOT NULL AND dataset_id IS NULL AND dataset_item_id IS NULL)
        OR (trace_id IS NULL AND observation_id IS NULL
            AND dataset_id IS NOT NULL AND dataset_item_id IS NOT NULL)
    ),
    -- A client that tries again says the same again. It also finds what stands at an attachment.
    CONSTRAINT media_links_key UNIQUE NULLS NOT DISTINCT
        (project_id, media_id, trace_id, observation_id, dataset_id, dataset_item_id, field)
);
COMMENT ON TABLE media_links IS 'Which contents name which attachment: an attachment that nothing names any more is deleted.';
-- A trace is deleted with what it alone names; an item of a dataset is shown with what it names.
CREATE INDEX media_links_trace_idx ON media_links (project_id, trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX media_links_dataset_idx ON media_links (project_id, dataset_id, dataset_item_id)
WHERE dataset_id IS NOT NULL;

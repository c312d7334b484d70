CREATE TABLE dataset_item_versions (
    project_id UUID NOT NULL
        CONSTRAINT dataset_item_versions_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    item_id TEXT NOT NULL,
    valid_from TIMESTAMPTZ NOT NULL,
    valid_to TIMESTAMPTZ,
    dataset_id UUID NOT NULL
        CONSTRAINT dataset_item_versions_dataset_id_fkey REFERENCES datasets (id) ON DELETE CASCADE,
    is_deleted BOOLEAN NOT NULL,
    status TEXT NOT NULL
        CONSTRAINT dataset_item_versions_status_check CHECK (status IN ('ACTIVE', 'ARCHIVED')),
    input JSON NOT NULL,
    expected_output JSON NOT NULL,
    metadata JSON NOT NULL,
    source_trace_id TEXT,
    source_observation_id TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT dataset_item_versions_valid_check CHECK (valid_to > valid_from),
    -- Clients choose the ids of items, which are unique within a project. An item is asked for by its id,
    -- and its last version is the one that counts.
    CONSTRAINT dataset_item_versions_pkey PRIMARY KEY (project_id, item_id, valid_from)
);
COMMENT ON TABLE dataset_item_versions IS 'Items of datasets with their history: a dataset can be read as it was at any time. A change closes the version before it; none is ever changed otherwise.';
COMMENT ON COLUMN dataset_item_versions.valid_from IS 'When this version was written, in whole milliseconds, as clients see times.';
COMMENT ON COLUMN dataset_item_versions.valid_to IS 'When the next one was written; NULL: it is the last one.';
COMMENT ON COLUMN dataset_item_versions.is_deleted IS 'Whether the item is deleted from then on; such a version holds nothing.';
COMMENT ON COLUMN dataset_item_versions.input IS 'Any JSON; null: none. So are expected_output and metadata.';
COMMENT ON COLUMN dataset_item_versions.created_at IS 'When the item was made, in microseconds: those of one millisecond are listed in order, too.';
-- There is one last version of an item.
CREATE UNIQUE INDEX dataset_item_versions_last_key ON dataset_item_versions (project_id, item_id)
    WHERE valid_to IS NULL;
-- Items of a dataset are listed newest first, as they are or as they were.
CREATE INDEX dataset_item_versions_dataset_id_idx
    ON dataset_item_versions (dataset_id, created_at DESC, item_id);
-- So are those of all datasets of a project, as they are.
CREATE INDEX dataset_item_versions_project_id_idx
    ON dataset_item_versions (project_id, created_at DESC, item_id)
    WHERE valid_to IS NULL;

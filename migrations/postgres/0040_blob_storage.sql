CREATE TABLE blob_storage (
    -- One export a project, asked for by it; what is due is found by the index below.
    project_id UUID CONSTRAINT blob_storage_pkey PRIMARY KEY
        CONSTRAINT blob_storage_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    kind TEXT NOT NULL
        CONSTRAINT blob_storage_kind_check CHECK (kind IN ('S3', 'S3_COMPATIBLE')),
    bucket TEXT NOT NULL,
    endpoint TEXT,
    region TEXT NOT NULL,
    access_key_id TEXT NOT NULL,
    secret BYTEA NOT NULL,
    prefix TEXT NOT NULL,
    frequency TEXT NOT NULL
        CONSTRAINT blob_storage_frequency_check CHECK (
            frequency IN ('every_20_minutes', 'hourly', 'daily', 'weekly')
        ),
    is_enabled BOOLEAN NOT NULL,
    is_path_style BOOLEAN NOT NULL,
    file_type TEXT NOT NULL
        CONSTRAINT blob_storage_file_type_check CHECK (file_type IN ('JSON', 'CSV', 'JSONL')),
    mode TEXT NOT NULL
        CONSTRAINT blob_storage_mode_check CHECK (
            mode IN ('FULL_HISTORY', 'FROM_TODAY', 'FROM_CUSTOM_DATE')
        ),
    start_at TIMESTAMPTZ,
    is_compressed BOOLEAN NOT NULL,
    source TEXT NOT NULL
        CONSTRAINT blob_storage_source_check CHECK (
            source IN (
                'LEGACY_TRACES_OBSERVATIONS',
                'OBSERVATIONS_V2',
                'LEGACY_TRACES_AND_ENRICHED_OBSERVATIONS'
            )
        ),
    field_groups TEXT[],
    exported_until TIMESTAMPTZ NOT NULL,
    split_until TIMESTAMPTZ,
    next_sync_at TIMESTAMPTZ NOT NULL,
    last_sync_at TIMESTAMPTZ,
    last_error TEXT,
    last_error_at TIMESTAMPTZ,
    tries INTEGER NOT NULL,
    claim UUID,
    held_until TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE blob_storage IS 'Exports of projects to object stores.';
COMMENT ON COLUMN blob_storage.secret IS 'Secret part of the store''s credential, sealed with the server''s encryption key: nonce of 24 bytes, then XChaCha20-Poly1305.';
COMMENT ON COLUMN blob_storage.exported_until IS 'Everything before is exported: the next window begins here.';
COMMENT ON COLUMN blob_storage.split_until IS 'End of the next window where the whole one would have made too large a file; NULL: as the frequency says.';
COMMENT ON COLUMN blob_storage.tries IS 'How often the next window was taken up without being exported.';
COMMENT ON COLUMN blob_storage.claim IS 'Names the server''s turn that works on it; whoever has lost it to another one, or to a change of the settings, changes nothing any more.';
COMMENT ON COLUMN blob_storage.held_until IS 'Until then that server works on it; afterwards any server may take it up.';
-- Servers look every few seconds for what is due.
CREATE INDEX blob_storage_due_idx ON blob_storage (next_sync_at) WHERE is_enabled;

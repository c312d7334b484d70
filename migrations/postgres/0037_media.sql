CREATE TABLE media (
    project_id UUID NOT NULL
        CONSTRAINT media_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
    media_id TEXT NOT NULL,
    checksum BYTEA NOT NULL
        CONSTRAINT media_checksum_check CHECK (length(checksum) = 32),
    media_type TEXT NOT NULL,
    bytes BIGINT NOT NULL CONSTRAINT media_bytes_check CHECK (bytes > 0),
    announced_at TIMESTAMPTZ NOT NULL,
    stored_at TIMESTAMPTZ,
    upload_status INTEGER,
    upload_error TEXT,
    upload_ms INTEGER,
    -- Contents name an attachment by its id within their project.
    CONSTRAINT media_pkey PRIMARY KEY (project_id, media_id)
);
COMMENT ON TABLE media IS 'Attachments. The bytes of each lie in a file that is named for their checksum.';
COMMENT ON COLUMN media.media_id IS 'Head of the checksum in base64 for addresses: the same bytes are one attachment.';
COMMENT ON COLUMN media.checksum IS 'SHA-256 of the bytes.';
COMMENT ON COLUMN media.stored_at IS 'When the bytes were there, checked and durable; null: they were announced and did not come.';
COMMENT ON COLUMN media.upload_status IS 'HTTP status of the upload as the client reports it, to find out why some did not come. Whether the bytes are there is known without it.';
-- How much a project has: what is stored is summed up without reading the rows.
CREATE INDEX media_stored_idx ON media (project_id) INCLUDE (bytes) WHERE stored_at IS NOT NULL;

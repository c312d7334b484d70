ALTER TABLE blob_storage DROP CONSTRAINT blob_storage_kind_check;
ALTER TABLE blob_storage ADD CONSTRAINT blob_storage_kind_check
    CHECK (kind IN ('S3', 'S3_COMPATIBLE', 'AZURE_BLOB_STORAGE'));

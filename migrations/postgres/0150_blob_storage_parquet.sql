ALTER TABLE blob_storage DROP CONSTRAINT blob_storage_file_type_check;
ALTER TABLE blob_storage ADD CONSTRAINT blob_storage_file_type_check
    CHECK (file_type IN ('JSON', 'CSV', 'JSONL', 'PARQUET'));

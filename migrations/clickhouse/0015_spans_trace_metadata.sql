-- Applications write metadata of a trace on any of its spans. Which keys those are is kept beside the metadata of the
-- span, whose values need not be stored twice. Rows of before have none. No index: it is read by trace.
ALTER TABLE spans
    ADD COLUMN IF NOT EXISTS trace_metadata_keys Array(LowCardinality(String)) COMMENT 'keys of the metadata that are said of the whole trace' CODEC(ZSTD(1))

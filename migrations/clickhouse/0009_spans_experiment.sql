-- The experiment of a span, out of its attributes. Nearly all spans have none: the index lets reads of
-- experiments pass over whatever has none without reading attributes, the largest column there is.
-- Everything else of an experiment is read from the attributes of the few rows that are left.
ALTER TABLE spans
    ADD COLUMN IF NOT EXISTS experiment_id String MATERIALIZED attributes['langfuse.experiment.id'] COMMENT 'experiment that the span is part of; empty: none' CODEC(ZSTD(1)),
    ADD INDEX IF NOT EXISTS experiment_id_minmax experiment_id TYPE minmax GRANULARITY 1

-- One row a sample.
--
-- ORDER BY: project first (no read crosses it), then the series, then time: a read is of some series over a
--   range of time. The value stands last, outside of the index (PRIMARY KEY): a sample that comes again is the
--   same row, and of two that differ reads take the greater, so that the order of arrival does not matter.
-- Codecs: 1.65 bytes a sample over a day of scrapes every 15 s, a third of the series held, the others wandering gauges and
--   counters (tests/it/store/series.rs, which holds it to 2). Times that are some milliseconds off are most of it.
-- PARTITION BY month: old months are dropped whole, and merges stay bounded.
-- auto_statistics_types, non_replicated_deduplication_window: as for `spans`.
CREATE TABLE IF NOT EXISTS samples
(
    project_id UUID                 COMMENT 'project that owns the row' CODEC(ZSTD(1)),
    series_id  UInt64               COMMENT 'hash of project, name and labels' CODEC(Delta(8), ZSTD(1)),
    time       DateTime64(3, 'UTC') COMMENT 'when it was measured' CODEC(DoubleDelta, ZSTD(1)),
    value      Float64              COMMENT 'value; NaN: from here on there is none' CODEC(Gorilla(8), ZSTD(1))
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(time)
PRIMARY KEY (project_id, series_id, time)
ORDER BY (project_id, series_id, time, value)
SETTINGS auto_statistics_types = '', non_replicated_deduplication_window = 1000
COMMENT 'values of series'

-- One row a series: what it is called and its labels, once.
--
-- ReplacingMergeTree(version): a series is told again every hour in which it has samples, with the hour; the
--   latest stays. Reads take the greatest themselves.
-- ORDER BY: project first (no read crosses it), then the name, by which series are asked for. The id comes
--   last: it is a hash of project, name and labels, so that a series is the same row wherever it came in.
-- auto_statistics_types, non_replicated_deduplication_window: as for `spans`.
CREATE TABLE IF NOT EXISTS series
(
    project_id     UUID                                COMMENT 'project that owns the row' CODEC(ZSTD(1)),
    series_id      UInt64                              COMMENT 'hash of project, name and labels' CODEC(ZSTD(1)),
    name           String                              COMMENT 'name, as the exporter has it' CODEC(ZSTD(1)),
    axis           LowCardinality(String)              COMMENT 'value of an axis that it tells: gpu.power_w; empty: none',
    exporter       LowCardinality(String)              COMMENT 'exporter whose table knows it; empty: none',
    factor         Float64                             COMMENT 'the value of the axis is the sample times that' CODEC(ZSTD(1)),
    rank           UInt8                               COMMENT 'it counts where nothing of a lower rank is there' CODEC(ZSTD(1)),
    is_approximate Bool                                COMMENT 'it says something near what the axis means' CODEC(ZSTD(1)),
    kind           LowCardinality(String)              COMMENT 'gauge, counter, increase',
    part           LowCardinality(String)              COMMENT 'whole, or of a histogram: bucket, sum, count; quantile',
    unit           LowCardinality(String)              COMMENT 'unit as the sender calls it; empty: not told',
    labels         Map(LowCardinality(String), String) COMMENT 'labels by name' CODEC(ZSTD(1)),
    seen           DateTime64(3, 'UTC')                COMMENT 'hour of the newest sample that told of it' CODEC(ZSTD(1)),
    version        UInt128                             COMMENT 'seen in milliseconds (64 bits), hash of the content (64): the later wins' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, name, series_id)
SETTINGS auto_statistics_types = '', non_replicated_deduplication_window = 1000
COMMENT 'series of metrics'

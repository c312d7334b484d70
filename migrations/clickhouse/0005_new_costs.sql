-- Costs on their way to `spans`: which row gets which. Rows are of use for a second; the TTL sweeps.
CREATE TABLE IF NOT EXISTS new_costs
(
    project_id   UUID                                             COMMENT 'project that owns the rows' CODEC(ZSTD(1)),
    batch        UUID                                             COMMENT 'rows that are given their costs at once' CODEC(ZSTD(1)),
    trace_id     String                                           COMMENT 'trace of the row' CODEC(ZSTD(1)),
    span_id      String                                           COMMENT 'its span' CODEC(ZSTD(1)),
    old_version  UInt128                                          COMMENT 'its version' CODEC(ZSTD(1)),
    cost_source  LowCardinality(String)                           COMMENT 'price_table, gpu_hours; empty: no cost',
    cost         Nullable(Decimal(38, 12))                        COMMENT 'US dollars; NULL: unknown' CODEC(ZSTD(1)),
    cost_details Map(LowCardinality(String), Decimal(38, 12))     COMMENT 'US dollars by usage kind' CODEC(ZSTD(1)),
    price        LowCardinality(String)                           COMMENT 'price that the cost was computed with, JSON; empty: none',
    version      UInt128                                          COMMENT 'version that the row has with this cost' CODEC(ZSTD(1)),
    made_at      DateTime('UTC') DEFAULT now('UTC')               COMMENT 'when it was written' CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, batch)
TTL made_at + INTERVAL 1 DAY
SETTINGS auto_statistics_types = '', ttl_only_drop_parts = 1
COMMENT 'costs on their way to spans'

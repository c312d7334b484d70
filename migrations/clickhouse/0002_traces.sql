-- When each trace began and when its last span began: opening a trace by its id reads only those
-- hours of `spans`. Only idempotent aggregates, so that a span that is sent again changes nothing.
CREATE TABLE IF NOT EXISTS traces
(
    project_id  UUID                                                COMMENT 'project that owns the trace' CODEC(ZSTD(1)),
    trace_id    String                                              COMMENT 'trace' CODEC(ZSTD(1)),
    first_start SimpleAggregateFunction(min, DateTime64(9, 'UTC'))  COMMENT 'earliest start of its spans' CODEC(ZSTD(1)),
    last_start  SimpleAggregateFunction(max, DateTime64(9, 'UTC'))  COMMENT 'latest start of its spans' CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (project_id, trace_id)
SETTINGS index_granularity = 1024, auto_statistics_types = '', non_replicated_deduplication_window = 1000
COMMENT 'where in time each trace lies'

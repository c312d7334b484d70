-- One row a change of an observation or a trace, as Langfuse clients send them: the rows of one of them
-- together come to a row of `spans`.
--
-- ReplacingMergeTree: a change that is sent again is the same row. Reads do not wait for merges.
-- ORDER BY: project first (no read crosses it), then what is changed: its changes are read together,
--   whenever one more has come. No time stands before it, because an update may come days later.
-- index_granularity 256: a change can hold a whole conversation, and a read wants a handful of them.
-- min_bytes_for_wide_part, auto_statistics_types: as for `spans`.
-- No partitions: changes of one observation may lie in two months.
-- non_replicated_deduplication_window: an insert that is repeated with its token does nothing.
CREATE TABLE IF NOT EXISTS changes
(
    project_id  UUID                    COMMENT 'project that owns the row' CODEC(ZSTD(1)),
    subject     LowCardinality(String)  COMMENT 'trace, observation',
    id          String                  COMMENT 'id of what is changed' CODEC(ZSTD(1)),
    time        DateTime64(9, 'UTC')    COMMENT 'when the client made the change' CODEC(ZSTD(1)),
    is_update   UInt8                   COMMENT 'goes after creations of the same instant' CODEC(ZSTD(1)),
    place       UInt32                  COMMENT 'place within its request' CODEC(ZSTD(1)),
    event_id    String                  COMMENT 'id of the change itself' CODEC(ZSTD(1)),
    kind        LowCardinality(String)  COMMENT 'type of the observation; empty for a trace',
    trace_id    String                  COMMENT 'trace that it names; empty: none' CODEC(ZSTD(1)),
    body        String                  COMMENT 'fields that it sets, JSON' CODEC(ZSTD(1)),
    content     UInt64                  COMMENT 'hash of everything before it: of two rows with one event_id the greater stays' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(content)
ORDER BY (project_id, subject, id, time, is_update, event_id)
SETTINGS
    index_granularity = 256,
    min_bytes_for_wide_part = 134217728,
    auto_statistics_types = '',
    non_replicated_deduplication_window = 1000
COMMENT 'changes of observations and traces'

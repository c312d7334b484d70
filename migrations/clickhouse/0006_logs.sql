-- One row a log record.
--
-- ReplacingMergeTree over a key that ends in the hash of the content: a record that is sent again is
--   the same row, and merges leave one of them. Reads do not wait for merges. Of two places within a
--   request the greater stays, so that the order of arrival does not matter.
-- ORDER BY: project first (no read crosses it), then the trace: records are read by trace alone, and
--   no hour stands before it, because a record may come long before or after its spans, with a clock
--   of its own or without any. Records outside of traces lie together at the front, by time.
-- index_granularity 512: a record can hold a whole conversation; with 8192 opening one trace
--   decompresses megabytes.
-- min_bytes_for_wide_part, auto_statistics_types: as for `spans`.
-- PARTITION BY month: old months are dropped whole, and merges stay bounded.
-- non_replicated_deduplication_window: an insert that is repeated with its token does nothing.
CREATE TABLE IF NOT EXISTS logs
(
    project_id      UUID                                COMMENT 'project that owns the row' CODEC(ZSTD(1)),
    trace_id        String                              COMMENT 'trace; empty: none' CODEC(ZSTD(1)),
    span_id         String                              COMMENT 'span; empty: none' CODEC(ZSTD(1)),
    time            DateTime64(9, 'UTC')                COMMENT 'when it happened, else when it was seen; 1970: unknown' CODEC(Delta(8), ZSTD(1)),
    severity_number UInt8                               COMMENT 'number of OTLP: 1 trace, 5 debug, 9 info, 13 warning, 17 error, 21 fatal; 0: not given' CODEC(ZSTD(1)),
    severity_text   LowCardinality(String)              COMMENT 'severity as its source calls it; empty: not given',
    event_name      LowCardinality(String)              COMMENT 'name of the event; empty: a plain log line',
    body            String                              COMMENT 'what was said, as text' CODEC(ZSTD(1)),
    body_type       LowCardinality(String)              COMMENT 'its type, a letter as in attribute_types',
    attributes      Map(LowCardinality(String), String) COMMENT 'all attributes in the order sent, as text' CODEC(ZSTD(1)),
    attribute_types String                              COMMENT 'one letter an attribute: s text, i integer, d double, b boolean, x bytes in hexadecimal, j JSON, n nothing; empty: all are text' CODEC(ZSTD(1)),
    resource        LowCardinality(String)              COMMENT 'attributes of the sending process, JSON',
    scope_name      LowCardinality(String)              COMMENT 'instrumentation library',
    scope_version   LowCardinality(String)              COMMENT 'its version',
    oddities        UInt8                               COMMENT 'bits: 1 a text was cut, 2 invalid UTF-8 replaced' CODEC(ZSTD(1)),
    content         UInt64                              COMMENT 'hash of everything before it' CODEC(ZSTD(1)),
    place           UInt32                              COMMENT 'place within its request, by which records of one instant are ordered' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(place)
PARTITION BY toYYYYMM(time)
ORDER BY (project_id, trace_id, time, content)
SETTINGS
    index_granularity = 512,
    min_bytes_for_wide_part = 134217728,
    auto_statistics_types = '',
    non_replicated_deduplication_window = 1000
COMMENT 'log records'

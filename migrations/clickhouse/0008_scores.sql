-- One row a score.
--
-- ReplacingMergeTree(version): a score that is given again under its id replaces the earlier one, by the
--   time at which it was given, whatever the order of arrival. Reads take the greatest themselves.
-- ORDER BY: project first (no read crosses it), then the trace, because most reads ask for the scores of
--   some traces; scores of sessions and runs lie at the front, with no trace.
-- scores_by_id, scores_by_time: one score is read by its id, and lists are of a range of time.
-- auto_statistics_types, non_replicated_deduplication_window: as for `spans`.
CREATE TABLE IF NOT EXISTS scores
(
    project_id         UUID                    COMMENT 'project that owns the row' CODEC(ZSTD(1)),
    trace_id           String                  COMMENT 'trace that is judged; empty: none' CODEC(ZSTD(1)),
    score_id           String                  COMMENT 'id, unique within the project' CODEC(ZSTD(1)),
    observation_id     String                  COMMENT 'span that is judged; empty: the trace as a whole' CODEC(ZSTD(1)),
    session_id         String                  COMMENT 'session that is judged; empty: none' CODEC(ZSTD(1)),
    dataset_run_id     String                  COMMENT 'run of a dataset that is judged; empty: none' CODEC(ZSTD(1)),
    name               LowCardinality(String)  COMMENT 'name of the score',
    time               DateTime64(9, 'UTC')    COMMENT 'when it was judged' CODEC(Delta(8), ZSTD(1)),
    environment        LowCardinality(String)  COMMENT 'deployment environment',
    source             LowCardinality(String)  COMMENT 'API, EVAL, ANNOTATION',
    data_type          LowCardinality(String)  COMMENT 'NUMERIC, CATEGORICAL, BOOLEAN, TEXT, CORRECTION',
    value              Float64                 COMMENT 'number; of a label its number, of yes 1, of words 0' CODEC(ZSTD(1)),
    words              String                  COMMENT 'label, text or correction; empty: a number' CODEC(ZSTD(1)),
    comment            String                  COMMENT 'why; empty: not told' CODEC(ZSTD(1)),
    metadata           String                  COMMENT 'JSON object; empty: none' CODEC(ZSTD(1)),
    config_id          String                  COMMENT 'configuration that it follows; empty: none' CODEC(ZSTD(1)),
    queue_id           String                  COMMENT 'annotation queue that it was made in; empty: none' CODEC(ZSTD(1)),
    author_id          String                  COMMENT 'person who judged; empty: none' CODEC(ZSTD(1)),
    execution_trace_id String                  COMMENT 'trace of the evaluator that judged; empty: none' CODEC(ZSTD(1)),
    version            UInt128                 COMMENT 'time in nanoseconds (64 bits), hash of the content (64): the later wins' CODEC(ZSTD(1)),
    INDEX scores_by_id score_id TYPE bloom_filter GRANULARITY 1,
    INDEX scores_by_time time TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, trace_id, score_id)
SETTINGS auto_statistics_types = '', non_replicated_deduplication_window = 1000
COMMENT 'judgements'

-- One wide row a span. Why it looks like this: docs/decisions/0002-spans-table.md
--
-- ReplacingMergeTree: of several versions of a span the greatest `version` stays, whatever the order
--   in which they arrive. Reads do not wait for merges: they take the greatest themselves.
-- ORDER BY: project first (no read crosses it), then the hour, so that "the latest" and any range
--   of time read little, then the trace, so that the spans of one trace lie together.
-- index_granularity 512: rows are wide; with 8192 opening one trace decompresses megabytes.
-- min_bytes_for_wide_part: a fresh part is a few files instead of three hundred.
-- auto_statistics_types: statistics of sixty columns cost a fifth of an insert; no read uses them.
-- vertical_merge_algorithm_min_rows_to_activate: sixty columns are merged one by one, not row by row: a
--   fifth less work a merge.
-- merge_selector_base: a part takes part in fewer, larger merges: a merge costs three times an insert.
-- PARTITION BY month: old months are dropped whole, and merges stay bounded.
-- non_replicated_deduplication_window: an insert that is repeated with its token does nothing.
CREATE TABLE IF NOT EXISTS spans
(
    project_id         UUID                                    COMMENT 'project that owns the row' CODEC(ZSTD(1)),
    start_hour         UInt32                                  COMMENT 'whole hours from 1970 to start_time' CODEC(ZSTD(1)),
    trace_id           String                                  COMMENT 'trace; 32 hexadecimal digits, or free text from Langfuse clients' CODEC(ZSTD(1)),
    span_id            String                                  COMMENT 'span, unique within its trace' CODEC(ZSTD(1)),
    parent_span_id     String                                  COMMENT 'parent; empty: root' CODEC(ZSTD(1)),
    name               String                                  COMMENT 'name of the operation' CODEC(ZSTD(1)),
    kind               LowCardinality(String)                  COMMENT 'generation, embedding, retriever, reranker, tool, agent, chain, guardrail, evaluator, event, span',
    otlp_kind          LowCardinality(String)                  COMMENT 'role between services: unspecified, internal, server, client, producer, consumer',
    start_time         DateTime64(9, 'UTC')                    COMMENT 'when it began' CODEC(Delta(8), ZSTD(1)),
    end_time           Nullable(DateTime64(9, 'UTC'))          COMMENT 'when it ended; NULL while open' CODEC(ZSTD(1)),
    oddities           UInt8                                   COMMENT 'bits: 1 end before start, 2 start unknown, 4 a text was cut, 8 invalid UTF-8 replaced' CODEC(ZSTD(1)),
    status             LowCardinality(String)                  COMMENT 'unset, ok, error',
    level              LowCardinality(String)                  COMMENT 'DEBUG, DEFAULT, WARNING, ERROR',
    error_kind         LowCardinality(String)                  COMMENT 'class of the error; empty: unknown',
    error_message      Nullable(String)                        COMMENT 'what the error said; NULL: no error was described' CODEC(ZSTD(1)),
    service            LowCardinality(String)                  COMMENT 'service.name',
    instance           LowCardinality(String)                  COMMENT 'serving instance; empty: unknown',
    environment        LowCardinality(String)                  COMMENT 'deployment environment',
    release            LowCardinality(String)                  COMMENT 'release of the application; empty: unknown',
    version_label      LowCardinality(String)                  COMMENT 'version that the application gave the operation; empty: none',
    tenant             LowCardinality(String)                  COMMENT 'tenant of the application; empty: unknown',
    route              LowCardinality(String)                  COMMENT 'route of the application; empty: unknown',
    user_id            String                                  COMMENT 'user of the application; empty: unknown' CODEC(ZSTD(1)),
    session_id         String                                  COMMENT 'session; empty: none' CODEC(ZSTD(1)),
    tags               Array(LowCardinality(String))           COMMENT 'labels, sorted' CODEC(ZSTD(1)),
    metadata           Map(LowCardinality(String), String)     COMMENT 'metadata by key; each value is JSON text' CODEC(ZSTD(1)),
    trace_name         LowCardinality(String)                  COMMENT 'name that the application gave the whole trace; empty: none',
    provider           LowCardinality(String)                  COMMENT 'who served the model; empty: unknown',
    request_model      LowCardinality(String)                  COMMENT 'model asked for; empty: none',
    response_model     LowCardinality(String)                  COMMENT 'model that answered; empty: unknown',
    parameters         Map(LowCardinality(String), String)     COMMENT 'model parameters by name; each value is JSON text' CODEC(ZSTD(1)),
    finish_reasons     Array(LowCardinality(String))           COMMENT 'why the model stopped' CODEC(ZSTD(1)),
    usage_source       LowCardinality(String)                  COMMENT 'reported, estimated; empty: no usage',
    input_tokens       Nullable(UInt64)                        COMMENT 'all input tokens, cached ones included' CODEC(ZSTD(1)),
    output_tokens      Nullable(UInt64)                        COMMENT 'all output tokens, reasoning ones included' CODEC(ZSTD(1)),
    total_tokens       Nullable(UInt64)                        COMMENT 'all tokens' CODEC(ZSTD(1)),
    usage_details      Map(LowCardinality(String), UInt64)     COMMENT 'disjoint parts that add up to the totals' CODEC(ZSTD(1)),
    cost_source        LowCardinality(String)                  COMMENT 'client, price_table, gpu_hours; empty: no cost',
    cost               Nullable(Decimal(38, 12))               COMMENT 'US dollars; NULL: unknown' CODEC(ZSTD(1)),
    cost_details       Map(LowCardinality(String), Decimal(38, 12)) COMMENT 'US dollars by usage kind' CODEC(ZSTD(1)),
    ttft_ms            Nullable(Float64)                       COMMENT 'time to first token' CODEC(ZSTD(1)),
    tpot_ms            Nullable(Float64)                       COMMENT 'time per output token after the first' CODEC(ZSTD(1)),
    queue_ms           Nullable(Float64)                       COMMENT 'waiting in the queue of the engine' CODEC(ZSTD(1)),
    prefill_ms         Nullable(Float64)                       COMMENT 'reading the prompt' CODEC(ZSTD(1)),
    decode_ms          Nullable(Float64)                       COMMENT 'writing the answer' CODEC(ZSTD(1)),
    ttft_source        LowCardinality(String)                  COMMENT 'attribute or event that told the TTFT; empty: none',
    prompt_name        LowCardinality(String)                  COMMENT 'managed prompt; empty: none',
    prompt_version     LowCardinality(String)                  COMMENT 'its version',
    input              Nullable(String)                        COMMENT 'input as sent; NULL: none' CODEC(ZSTD(1)),
    input_attribute    LowCardinality(String)                  COMMENT 'attribute that held the input; empty: none',
    input_preview      String                                  COMMENT 'first 200 characters of the input of a root, so that lists never read whole inputs' CODEC(ZSTD(1)),
    output             Nullable(String)                        COMMENT 'output as sent; NULL: none' CODEC(ZSTD(1)),
    output_attribute   LowCardinality(String)                  COMMENT 'attribute that held the output; empty: none',
    output_preview     String                                  COMMENT 'first 200 characters of the output of a root' CODEC(ZSTD(1)),
    attributes         Map(LowCardinality(String), String)     COMMENT 'all attributes in the order sent, as text; those equal to input or output are empty here' CODEC(ZSTD(1)),
    attribute_types    String                                  COMMENT 'one letter an attribute: s text, i integer, d double, b boolean, x bytes in hexadecimal, j JSON, n nothing, < the input, > the output; empty: all are text' CODEC(ZSTD(1)),
    resource           LowCardinality(String)                  COMMENT 'attributes of the sending process, JSON',
    scope_name         LowCardinality(String)                  COMMENT 'instrumentation library',
    scope_version      LowCardinality(String)                  COMMENT 'its version',
    events             String                                  COMMENT 'JSON [[name, nanoseconds, attributes]]; empty: none' CODEC(ZSTD(1)),
    links              String                                  COMMENT 'JSON [[trace, span, attributes]]; empty: none' CODEC(ZSTD(1)),
    provenance         LowCardinality(String)                  COMMENT 'JSON [[field, key]]: which key gave which field; empty: none',
    version            UInt128                                 COMMENT 'end in nanoseconds (64 bits), number of attributes and events (16), hash of the content (48): the later, then the richer wins' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(start_time)
ORDER BY (project_id, start_hour, trace_id, span_id)
SETTINGS
    index_granularity = 512,
    min_bytes_for_wide_part = 134217728,
    vertical_merge_algorithm_min_rows_to_activate = 1,
    merge_selector_base = 8,
    auto_statistics_types = '',
    non_replicated_deduplication_window = 1000
COMMENT 'recorded operations'

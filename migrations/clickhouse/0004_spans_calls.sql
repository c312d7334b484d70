-- What is known of a call beyond its numbers. Names first, then maps, as in `spans` itself.
ALTER TABLE spans
    ADD COLUMN IF NOT EXISTS response_id   String                               COMMENT 'id of the answer, by its provider; empty: none' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS call_role     LowCardinality(String)               COMMENT 'own, engine, repeat: whether it records a call of its own; empty: own',
    ADD COLUMN IF NOT EXISTS usage_rule    LowCardinality(String)               COMMENT 'what decided how reported tokens were read: plain, total, parts, emitter, provider, usual; empty: no usage',
    ADD COLUMN IF NOT EXISTS price         LowCardinality(String)               COMMENT 'price that the cost was computed with, JSON; empty: none',
    ADD COLUMN IF NOT EXISTS quality       Map(LowCardinality(String), Float64) COMMENT 'judgements of the output by name; yes is 1' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS quality_marks LowCardinality(String)               COMMENT 'two letters a judgement: b yes or no, n number; c client, k check, s score',
    ADD COLUMN IF NOT EXISTS context       String                               COMMENT 'what a generation was made with, JSON; empty: unknown' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS axes          Map(LowCardinality(String), Float64) COMMENT 'axis series that came with the span, by name' CODEC(ZSTD(1)),
    COMMENT COLUMN attributes 'all attributes in the order sent, as text; those that repeat the input or output are places in it',
    COMMENT COLUMN attribute_types 'one letter an attribute: s text, i integer, d double, b boolean, x bytes in hexadecimal, j JSON, n nothing; < > the input, output; ( ) a part of it; [ ] a part of it as the inside of a JSON string; empty: all are text'

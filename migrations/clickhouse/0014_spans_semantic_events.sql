-- What went wrong in the meaning of a span stands with the span: it is sent again, replaced and deleted with it, and
-- its lists are of a project's hours, which the order key begins with. Rows of before have none.
--
-- semantic_events: one event of each type at most, so that a map holds them; lists read its keys alone.
-- input_digest: calls with equal inputs are counted to find loops, and inputs are the largest column beside outputs.
-- ab_group: stands in the attributes or the metadata, which need not be read for it.
ALTER TABLE spans
    ADD COLUMN IF NOT EXISTS semantic_events Map(LowCardinality(String), String) COMMENT 'what went wrong, by type; each value is JSON' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS input_digest UInt64 MATERIALIZED if(kind IN ('tool', 'agent') AND ifNull(input, '') != '', cityHash64(input), 0) COMMENT 'of a tool or an agent: hash of the input; 0: none' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS ab_group LowCardinality(String) MATERIALIZED if(attributes['llm.app.ab_group'] != '', attributes['llm.app.ab_group'], if(startsWith(metadata['ab_group'], '"'), JSONExtractString(metadata['ab_group']), metadata['ab_group'])) COMMENT 'group of an experiment on users; empty: none' CODEC(ZSTD(1))

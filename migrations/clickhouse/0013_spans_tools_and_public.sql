-- Tools by name, which lists are narrowed by and metrics count; definitions, arguments and results stay in
-- the contents. Rows of before have none. No index: what is asked of is a time of one project. Whether a span
-- calls its trace public stands in its attributes, which need not be read for it: they are the largest column.
ALTER TABLE spans
    ADD COLUMN IF NOT EXISTS tool_names Array(LowCardinality(String)) COMMENT 'tools that the model was offered, each once' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS called_tool_names Array(LowCardinality(String)) COMMENT 'tool of each call that it made' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS says_public LowCardinality(String) MATERIALIZED if(attributes['langfuse.trace.public'] != '', attributes['langfuse.trace.public'], attributes['langfuse.public']) COMMENT 'whether anybody may see its trace: true, false, or nothing said' CODEC(ZSTD(1))

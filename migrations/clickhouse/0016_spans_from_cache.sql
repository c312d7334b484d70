-- Answers that a cache of answers gave cost nothing, and what they would have cost is what the cache saves. A name of
-- three values takes next to no room. Rows of before say nothing. No index: what is asked of is a time of one project.
ALTER TABLE spans
    ADD COLUMN IF NOT EXISTS from_cache LowCardinality(String) COMMENT 'whether a cache of answers gave the answer: true, false, or nothing said' CODEC(ZSTD(1))

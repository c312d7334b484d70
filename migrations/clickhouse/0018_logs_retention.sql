-- The same for log records. Their environment is that of the process that sent them; a record without a time goes with
-- its trace alone.
ALTER TABLE logs
    ADD COLUMN IF NOT EXISTS content_days   UInt16                 COMMENT 'days that contents are kept; 0: as long as the row' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS structure_days UInt16                 COMMENT 'days that the row is kept; 0: for ever' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS keep_rule      LowCardinality(String) COMMENT 'what decided it: held by a legal hold, sampled: outside of the sample of contents, chosen: outside of it and kept; empty: the settings',
    ADD COLUMN IF NOT EXISTS environment    LowCardinality(String) MATERIALIZED coalesce(nullIf(JSONExtractString(resource, 'deployment.environment.name'), ''), nullIf(JSONExtractString(resource, 'deployment.environment'), ''), 'default') COMMENT 'environment of the sending process',
    MODIFY COLUMN body TTL if(content_days = 0 OR time < '1971-01-01 00:00:00' OR time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(time, 'UTC') + toIntervalDay(content_days)),
    MODIFY COLUMN attributes TTL if(content_days = 0 OR time < '1971-01-01 00:00:00' OR time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(time, 'UTC') + toIntervalDay(content_days)),
    MODIFY COLUMN attribute_types TTL if(content_days = 0 OR time < '1971-01-01 00:00:00' OR time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(time, 'UTC') + toIntervalDay(content_days)),
    MODIFY TTL if(structure_days = 0 OR time < '1971-01-01 00:00:00' OR time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(time, 'UTC') + toIntervalDay(structure_days + 1))
SETTINGS materialize_ttl_after_modify = 0

-- How long a row is kept, and what is long about it: days from its start, 0 for ever, as the project set it for the
-- environment when the row came or was last looked at. The engine empties contents and drops rows by that.
--
-- Rows go a day later than their time: what hangs on them elsewhere is found by them, and goes first.
-- Clocks that are far ahead are not waited for: days after 2106 do not fit.
-- materialize_ttl_after_modify: nothing has a time yet, so that no part need be written anew.
ALTER TABLE spans
    ADD COLUMN IF NOT EXISTS content_days   UInt16                 COMMENT 'days that contents are kept; 0: as long as the row' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS structure_days UInt16                 COMMENT 'days that the row is kept; 0: for ever' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS keep_rule      LowCardinality(String) COMMENT 'what decided it: held by a legal hold, sampled: outside of the sample of contents, chosen: outside of it and kept; empty: the settings',
    MODIFY COLUMN input TTL if(content_days = 0 OR start_time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(start_time, 'UTC') + toIntervalDay(content_days)),
    MODIFY COLUMN input_preview TTL if(content_days = 0 OR start_time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(start_time, 'UTC') + toIntervalDay(content_days)),
    MODIFY COLUMN output TTL if(content_days = 0 OR start_time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(start_time, 'UTC') + toIntervalDay(content_days)),
    MODIFY COLUMN output_preview TTL if(content_days = 0 OR start_time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(start_time, 'UTC') + toIntervalDay(content_days)),
    MODIFY COLUMN attributes TTL if(content_days = 0 OR start_time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(start_time, 'UTC') + toIntervalDay(content_days)),
    MODIFY COLUMN attribute_types TTL if(content_days = 0 OR start_time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(start_time, 'UTC') + toIntervalDay(content_days)),
    MODIFY COLUMN events TTL if(content_days = 0 OR start_time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(start_time, 'UTC') + toIntervalDay(content_days)),
    MODIFY COLUMN error_message TTL if(content_days = 0 OR start_time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(start_time, 'UTC') + toIntervalDay(content_days)),
    MODIFY COLUMN metadata TTL if(content_days = 0 OR start_time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(start_time, 'UTC') + toIntervalDay(content_days)),
    MODIFY COLUMN semantic_events TTL if(content_days = 0 OR start_time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(start_time, 'UTC') + toIntervalDay(content_days)),
    MODIFY TTL if(structure_days = 0 OR start_time > '2080-01-01 00:00:00', toDateTime('2106-01-01 00:00:00', 'UTC'), toDateTime(start_time, 'UTC') + toIntervalDay(structure_days + 1))
SETTINGS materialize_ttl_after_modify = 0

-- Traces with spans whose time is over by the settings, whatever days they have yet, in the order of their ids: these spans, their sessions, and whether nothing of
-- the trace stays.
SELECT
    trace_id,
    groupUniqArrayIf(span_id, is_past) AS spans,
    groupUniqArrayIf(session_id, is_past AND session_id != '') AS sessions,
    countIf(NOT is_past) = 0 AS is_whole
FROM
(
    SELECT
        trace_id,
        span_id,
        session_id,
        transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16}) AS wanted,
        keep_rule != 'held' AND wanted > 0 AND start_time + toIntervalDay(wanted) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC') AS is_past
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND trace_id > {after_trace:String}
)
GROUP BY trace_id
HAVING countIf(is_past) > 0
ORDER BY trace_id
LIMIT {limit:UInt32}

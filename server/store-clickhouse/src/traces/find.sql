-- Candidates for the list of traces, newest first, among the spans of some hours. A trace that began
-- before these hours shows with a start that is not its own, and replaced versions of spans are
-- counted: the caller looks at each candidate again. Of a trace that begins in these hours none of the
-- starts is after its own, so that it is among them.
SELECT
    trace_id,
    toUnixTimestamp64Nano(min(start_time)) AS first_ns
FROM spans
WHERE project_id = {project_id:UUID}
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    -- Not of the trace: a replaced version may have begun before.
    AND start_time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
GROUP BY trace_id
HAVING (first_ns, trace_id) < ({before_ns:Int64}, {before_id:String})
    AND /* conditions */ 1
ORDER BY
    first_ns DESC,
    trace_id DESC
LIMIT {limit:UInt32}

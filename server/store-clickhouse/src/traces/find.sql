-- Candidates for the list of traces, newest first, among the spans of some hours. A trace that began
-- before these hours shows with a start that is not its own, and replaced versions of spans are
-- counted: the caller looks at each candidate again.
SELECT
    trace_id,
    toUnixTimestamp64Nano(min(start_time)) AS first_ns
FROM spans
WHERE project_id = {project_id:UUID}
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
GROUP BY trace_id
HAVING first_ns >= {from_ns:Int64}
    AND (first_ns, trace_id) < ({before_ns:Int64}, {before_id:String})
    AND /* conditions */ 1
ORDER BY
    first_ns DESC,
    trace_id DESC
LIMIT {limit:UInt32}

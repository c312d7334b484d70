-- Traces that began after a given one, oldest first, among the spans of some hours; candidates as in
-- find.sql.
SELECT
    trace_id,
    toUnixTimestamp64Nano(min(start_time)) AS first_ns
FROM spans
WHERE project_id = {project_id:UUID}
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
GROUP BY trace_id
HAVING (first_ns, trace_id) > ({after_ns:Int64}, {after_id:String})
ORDER BY
    first_ns,
    trace_id
LIMIT {limit:UInt32}

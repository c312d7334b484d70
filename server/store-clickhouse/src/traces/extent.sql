-- Where in time some traces lie.
SELECT
    trace_id,
    toUnixTimestamp64Nano(min(first_start)) AS first_ns,
    toUnixTimestamp64Nano(max(last_start)) AS last_ns
FROM traces
WHERE project_id = {project_id:UUID}
    AND trace_id IN {trace_ids:Array(String)}
GROUP BY trace_id

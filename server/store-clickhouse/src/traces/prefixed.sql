-- Traces whose id begins with some text.
SELECT trace_id
FROM traces
WHERE project_id = {project_id:UUID}
    AND startsWith(trace_id, {prefix:String})
GROUP BY trace_id
ORDER BY trace_id
LIMIT {limit:UInt32}

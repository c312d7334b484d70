-- Rows of some traces and sessions that are still there, by table.
SELECT
    'spans' AS store,
    count() AS found
FROM spans
WHERE project_id = {project_id:UUID}
    AND trace_id IN {trace_ids:Array(String)}
UNION ALL
SELECT
    'logs' AS store,
    count() AS found
FROM logs
WHERE project_id = {project_id:UUID}
    AND trace_id IN {trace_ids:Array(String)}
UNION ALL
SELECT
    'scores' AS store,
    count() AS found
FROM scores
WHERE project_id = {project_id:UUID}
    AND (trace_id IN {trace_ids:Array(String)} OR trace_id = '' AND session_id IN {session_ids:Array(String)})
UNION ALL
SELECT
    'changes' AS store,
    count() AS found
FROM changes
WHERE project_id = {project_id:UUID}
    AND trace_id IN {trace_ids:Array(String)}
UNION ALL
SELECT
    'traces' AS store,
    count() AS found
FROM traces
WHERE project_id = {project_id:UUID}
    AND trace_id IN {trace_ids:Array(String)}

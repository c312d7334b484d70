-- What there is of some traces and sessions beside spans, each thing once.
SELECT
    'logs' AS store,
    uniqExact(trace_id, time, content) AS found
FROM logs
WHERE project_id = {project_id:UUID}
    AND trace_id IN {trace_ids:Array(String)}
UNION ALL
SELECT
    'scores' AS store,
    uniqExact(trace_id, score_id) AS found
FROM scores
WHERE project_id = {project_id:UUID}
    AND (trace_id IN {trace_ids:Array(String)} OR trace_id = '' AND session_id IN {session_ids:Array(String)})
UNION ALL
SELECT
    'changes' AS store,
    uniqExact(subject, id, time, event_id) AS found
FROM changes
WHERE project_id = {project_id:UUID}
    AND trace_id IN {trace_ids:Array(String)}

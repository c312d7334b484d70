-- The traces of some sessions.
SELECT DISTINCT
    session_id AS name,
    trace_id
FROM spans
WHERE project_id = {project_id:UUID}
    AND session_id IN {session_ids:Array(String)}
LIMIT {limit:UInt32}

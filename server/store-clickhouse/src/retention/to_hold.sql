-- Traces that name a user who is held, and are not held as a whole yet.
SELECT DISTINCT trace_id
FROM spans
WHERE project_id = {project_id:UUID}
    AND keep_rule != 'held'
    AND trace_id IN (
        SELECT trace_id
        FROM spans
        WHERE project_id = {project_id:UUID}
            AND user_id IN {users:Array(String)}
    )
LIMIT {limit:UInt32}

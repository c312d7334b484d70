-- The traces that name some users, with the user.
SELECT DISTINCT
    user_id AS name,
    trace_id
FROM spans
WHERE project_id = {project_id:UUID}
    AND user_id IN {users:Array(String)}
LIMIT {limit:UInt32}

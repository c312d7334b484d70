-- Users of whom spans are still there.
SELECT DISTINCT user_id
FROM spans
WHERE project_id = {project_id:UUID}
    AND user_id IN {users:Array(String)}

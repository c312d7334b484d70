-- When users were first and last seen, ever.
SELECT
    user_id,
    toUnixTimestamp64Nano(min(start_time)) AS first_ns,
    toUnixTimestamp64Nano(max(start_time)) AS last_ns
FROM spans
WHERE project_id = {project_id:UUID}
    AND user_id IN {users:Array(String)}
GROUP BY user_id

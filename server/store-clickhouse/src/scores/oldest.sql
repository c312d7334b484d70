-- When the first score between two instants was made; null: there is none.
SELECT minOrNull(toUnixTimestamp64Nano(time)) AS oldest_ns
FROM scores
WHERE project_id = {project_id:UUID}
    AND time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
    AND time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')

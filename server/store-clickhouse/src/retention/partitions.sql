-- Months with rows or contents past their time, by table. Read with rows that are marked as deleted.
SELECT DISTINCT
    'spans' AS store,
    _partition_id AS partition
FROM spans
WHERE project_id = {project_id:UUID}
    AND ((structure_days > 0 AND start_time + toIntervalDay(structure_days) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')) OR (content_days > 0 AND start_time + toIntervalDay(content_days) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')))
UNION ALL
SELECT DISTINCT
    'logs' AS store,
    _partition_id AS partition
FROM logs
WHERE project_id = {project_id:UUID}
    AND ((structure_days > 0 AND time > '1971-01-01 00:00:00' AND time + toIntervalDay(structure_days) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')) OR (content_days > 0 AND time > '1971-01-01 00:00:00' AND time + toIntervalDay(content_days) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')))

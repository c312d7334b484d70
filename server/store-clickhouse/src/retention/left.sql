-- What is there past its time, by store: rows, and contents of rows that stay. Read with rows that are marked as deleted.
SELECT
    'spans' AS store,
    countIf(structure_days > 0 AND start_time + toIntervalDay(structure_days) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')) AS found
FROM spans
WHERE project_id = {project_id:UUID}
UNION ALL
SELECT
    'contents' AS store,
    count() AS found
FROM spans
WHERE project_id = {project_id:UUID}
    AND content_days > 0 AND start_time + toIntervalDay(content_days) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')
    AND (isNotNull(input) OR isNotNull(output) OR notEmpty(attributes) OR notEmpty(metadata) OR events != '' OR isNotNull(error_message) OR notEmpty(semantic_events))
UNION ALL
SELECT
    'logs' AS store,
    countIf(structure_days > 0 AND time > '1971-01-01 00:00:00' AND time + toIntervalDay(structure_days) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')) AS found
FROM logs
WHERE project_id = {project_id:UUID}
UNION ALL
SELECT
    'log_contents' AS store,
    count() AS found
FROM logs
WHERE project_id = {project_id:UUID}
    AND content_days > 0 AND time > '1971-01-01 00:00:00' AND time + toIntervalDay(content_days) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')
    AND (body != '' OR notEmpty(attributes))
UNION ALL
SELECT
    'scores' AS store,
    count() AS found
FROM scores
WHERE project_id = {project_id:UUID}
    AND trace_id IN (
        SELECT trace_id
        FROM traces
        WHERE project_id = {project_id:UUID}
            AND last_start < fromUnixTimestamp64Nano({before_ns:Int64}, 'UTC')
            AND trace_id NOT IN (
                SELECT trace_id
                FROM spans
                WHERE project_id = {project_id:UUID}
            )
    )
UNION ALL
SELECT
    'changes' AS store,
    count() AS found
FROM changes
WHERE project_id = {project_id:UUID}
    AND trace_id IN (
        SELECT trace_id
        FROM traces
        WHERE project_id = {project_id:UUID}
            AND last_start < fromUnixTimestamp64Nano({before_ns:Int64}, 'UTC')
            AND trace_id NOT IN (
                SELECT trace_id
                FROM spans
                WHERE project_id = {project_id:UUID}
            )
    )
UNION ALL
SELECT
    'traces' AS store,
    count() AS found
FROM traces
WHERE project_id = {project_id:UUID}
    AND trace_id IN (
        SELECT trace_id
        FROM traces
        WHERE project_id = {project_id:UUID}
            AND last_start < fromUnixTimestamp64Nano({before_ns:Int64}, 'UTC')
            AND trace_id NOT IN (
                SELECT trace_id
                FROM spans
                WHERE project_id = {project_id:UUID}
            )
    )
UNION ALL
SELECT
    'samples' AS store,
    count() AS found
FROM samples
WHERE project_id = {project_id:UUID}
    AND time < fromUnixTimestamp64Milli({metrics_before_ms:Int64}, 'UTC')
UNION ALL
SELECT
    'series' AS store,
    count() AS found
FROM series
WHERE project_id = {project_id:UUID}
    AND seen < fromUnixTimestamp64Milli({metrics_before_ms:Int64}, 'UTC')

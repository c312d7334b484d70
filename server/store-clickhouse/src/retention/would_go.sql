-- What would go by some settings, by store: nothing of traces that are held, or that name a user who is and that wait to
-- be held.
WITH held AS
(
    SELECT trace_id
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND user_id IN {users:Array(String)}
)
SELECT
    'spans' AS store,
    countIf(structure > 0 AND start_time + toIntervalDay(structure) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')) AS found
FROM
(
    SELECT
        start_time,
        transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16}) AS structure
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND keep_rule != 'held'
        AND trace_id NOT IN (SELECT trace_id FROM held)
)
UNION ALL
SELECT
    'traces' AS store,
    count() AS found
FROM
(
    SELECT trace_id
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND trace_id NOT IN (SELECT trace_id FROM held)
    GROUP BY trace_id
    HAVING countIf(keep_rule = 'held' OR transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16}) = 0
        OR start_time + toIntervalDay(transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16})) >= fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')) = 0
)
UNION ALL
SELECT
    'contents' AS store,
    countIf(content > 0 AND start_time + toIntervalDay(content) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')) AS found
FROM
(
    SELECT
        start_time,
        transform(environment, {environments:Array(String)}, {contents:Array(UInt16)}, {content_days:UInt16}) AS content
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND keep_rule != 'held'
        AND trace_id NOT IN (SELECT trace_id FROM held)
        AND (isNotNull(input) OR isNotNull(output) OR notEmpty(attributes))
)
UNION ALL
SELECT
    'logs' AS store,
    countIf(structure > 0 AND time > '1971-01-01 00:00:00' AND time + toIntervalDay(structure) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')) AS found
FROM
(
    SELECT
        time,
        transform(environment, {environments:Array(String)}, {structures:Array(UInt16)}, {structure_days:UInt16}) AS structure
    FROM logs
    WHERE project_id = {project_id:UUID}
        AND keep_rule != 'held'
        AND trace_id NOT IN (SELECT trace_id FROM held)
)
UNION ALL
SELECT
    'samples' AS store,
    count() AS found
FROM samples
WHERE project_id = {project_id:UUID}
    AND time < fromUnixTimestamp64Milli({metrics_before_ms:Int64}, 'UTC')

-- Samples of the series that tell some values of the axes, each once: of those of one instant the greatest counts.
SELECT
    series_id,
    toUnixTimestamp64Milli(time) AS time_ms,
    if(countIf(NOT isNaN(samples.value)) = 0, nan, maxIf(samples.value, NOT isNaN(samples.value))) AS value
FROM samples
WHERE project_id = {project_id:UUID}
    AND series_id IN
    (
        SELECT series_id
        FROM series
        WHERE project_id = {project_id:UUID}
            AND axis IN {axes:Array(String)}
            AND part = 'whole'
    )
    AND time >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')
    AND time < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')
GROUP BY
    series_id,
    time
LIMIT {limit:UInt32}

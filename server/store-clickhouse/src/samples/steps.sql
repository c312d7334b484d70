-- What each series did in each step. A series grows from one value to the next, whatever its samples say of an end in
-- between; a value below the one before tells of a restart, so that it grew from zero. Of samples of one
-- instant the greatest counts.
SELECT
    series_id,
    toUInt32(intDiv(toUnixTimestamp64Milli(time) - {from_ms:Int64}, {step_ms:Int64})) AS step,
    argMax(value, time) AS last,
    toUnixTimestamp64Milli(max(time)) AS last_ms,
    countIf(NOT isNaN(value)) AS count,
    sumIf(value, NOT isNaN(value)) AS sum,
    minIf(value, NOT isNaN(value)) AS min,
    maxIf(value, NOT isNaN(value)) AS max,
    sumIf(if(value < before, value, value - before), place > 1 AND NOT isNaN(value)) AS growth,
    countIf(place > 1 AND NOT isNaN(value)) AS grown
FROM
(
    SELECT
        series_id,
        time,
        value,
        lagInFrame(value) OVER series_in_order AS before,
        row_number() OVER series_in_order AS place
    FROM
    (
        SELECT
            series_id,
            time,
            if(countIf(NOT isNaN(samples.value)) = 0, nan, maxIf(samples.value, NOT isNaN(samples.value))) AS value
        FROM samples
        WHERE project_id = {project_id:UUID}
            AND series_id IN {series_ids:Array(UInt64)}
            AND time >= fromUnixTimestamp64Milli({before_ms:Int64}, 'UTC')
            AND time < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')
        GROUP BY
            series_id,
            time
    )
    WINDOW series_in_order AS
    (
        PARTITION BY
            series_id,
            isNaN(value)
        ORDER BY time
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
)
WHERE time >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')
GROUP BY
    series_id,
    step
ORDER BY
    series_id,
    step

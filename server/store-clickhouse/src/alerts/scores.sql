-- Numbers and yes or no of scores of one name by the step in which they were given, each in its latest version: as
-- `alerts/cells.sql` has it for requests.
SELECT
    intDiv(toUnixTimestamp64Nano(time), {step_ns:Int64}) AS step,
    count() AS known,
    sum(toInt128(round(number * 1e9))) AS total,
    min(number) AS least,
    max(number) AS greatest,
    sumMap(
        [if(number > 0, toInt32(ceil(log(number) / log(1.02))), toInt32(-2147483648))],
        [toUInt64(1)]) AS sketch
FROM
(
    SELECT
        name,
        time,
        data_type,
        least(greatest(value, -1e18), 1e18) AS number
    FROM
    (
        SELECT *
        FROM scores
        WHERE project_id = {project_id:UUID}
            AND score_id IN
            (
                SELECT score_id
                FROM scores
                WHERE project_id = {project_id:UUID}
                    AND time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
                    AND time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
                    AND name = {score_name:String}
            )
        ORDER BY version DESC
        LIMIT 1 BY score_id
    )
)
WHERE name = {score_name:String}
    AND time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
    AND time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
    AND data_type IN ('NUMERIC', 'BOOLEAN')
    AND isFinite(number)
GROUP BY step
LIMIT {limit:UInt32}

-- When each release and each version of a prompt was first seen on a generation.
SELECT
    tupleElement(what, 1) AS dimension_name,
    tupleElement(what, 2) AS family,
    tupleElement(what, 3) AS named,
    toUnixTimestamp64Nano(min(start_time)) AS first_ns
FROM
(
    SELECT
        start_time,
        arrayJoin([
            ('release', '', toString(release)),
            ('prompt_version', toString(prompt_name), toString(prompt_version))
        ]) AS what
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        AND start_time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
        AND start_time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
        AND kind = 'generation'
)
WHERE tupleElement(what, 3) != ''
GROUP BY what
ORDER BY
    first_ns,
    what
LIMIT {limit:UInt32}

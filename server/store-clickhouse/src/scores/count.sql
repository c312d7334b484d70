-- How many scores there are from an instant on, each in its latest version.
SELECT uniqExact(score_id) AS scores
FROM scores
WHERE project_id = {project_id:UUID}
    AND time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
    AND (score_id, version) IN
    (
        SELECT
            score_id,
            max(version)
        FROM scores
        WHERE project_id = {project_id:UUID}
            AND time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
        GROUP BY score_id
    )
    AND /* conditions */ 1

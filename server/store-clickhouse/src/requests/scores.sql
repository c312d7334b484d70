-- Numbers and yes or no that these traces and their spans were given, each in its latest version, the latest first. A score
-- that judges another trace by now may be among them.
SELECT
    trace_id,
    observation_id,
    toString(name) AS score_name,
    value,
    data_type = 'BOOLEAN' AS is_flag
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
                AND trace_id IN (SELECT trace_id FROM chosen)
        )
    ORDER BY version DESC
    LIMIT 1 BY score_id
)
WHERE data_type IN ('NUMERIC', 'BOOLEAN')
ORDER BY
    time DESC,
    score_id
LIMIT {score_limit:UInt32}

-- Numbers from 0 to 1, and yes or no, that traces and their spans were given from an instant on, each in its
-- latest version. A later version is never of an earlier instant.
judged AS
(
    SELECT
        trace_id AS judged_trace,
        count() AS its_scores,
        sum(value) AS its_score_sum,
        countIf(value < 0.5) AS its_low_scores
    FROM
    (
        SELECT
            trace_id,
            value,
            data_type
        FROM scores
        WHERE project_id = {project_id:UUID}
            AND time >= fromUnixTimestamp64Nano({judged_from_ns:Int64}, 'UTC')
        ORDER BY version DESC
        LIMIT 1 BY score_id
    )
    WHERE trace_id != ''
        AND data_type IN ('NUMERIC', 'BOOLEAN')
        AND value BETWEEN 0 AND 1
    GROUP BY trace_id
)

-- What each score judges, in its latest version.
given AS
(
    SELECT
        trace_id,
        observation_id
    FROM scores
    WHERE project_id = {project_id:UUID}
        AND trace_id != ''
        AND (score_id, version) IN
        (
            SELECT
                score_id,
                max(version)
            FROM scores
            WHERE project_id = {project_id:UUID}
            GROUP BY score_id
        )
    LIMIT 1 BY score_id
)

-- The scores of some traces and their spans, each in its latest version, the oldest first. A score whose
-- latest version judges something else is not among them.
SELECT
    trace_id,
    score_id,
    observation_id,
    session_id,
    dataset_run_id,
    name,
    toUnixTimestamp64Nano(time) AS time_ns,
    environment,
    source,
    data_type,
    value,
    words,
    comment,
    metadata,
    config_id,
    queue_id,
    author_id,
    execution_trace_id
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
                AND trace_id IN {trace_ids:Array(String)}
        )
    ORDER BY version DESC
    LIMIT 1 BY score_id
)
WHERE trace_id IN {trace_ids:Array(String)}
ORDER BY time, score_id
LIMIT {limit:UInt32}

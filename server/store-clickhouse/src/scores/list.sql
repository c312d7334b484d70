-- Scores from an instant on, each in its latest version, newest first. A later version is never of an
-- earlier instant, so that none of the versions before `from_ns` can matter.
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
    AND (time, score_id) < (fromUnixTimestamp64Nano({before_ns:Int64}, 'UTC'), {before_id:String})
ORDER BY
    time DESC,
    score_id DESC
LIMIT 1 BY score_id
LIMIT {limit:UInt32} OFFSET {offset:UInt64}

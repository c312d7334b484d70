-- Scores of one type and some time, each in its latest version. A later version is never of an earlier
-- instant, so that none of the versions before `from_ns` can matter.
seen AS
(
    SELECT
        trace_id,
        score_id,
        observation_id,
        session_id,
        dataset_run_id,
        name,
        environment,
        source,
        data_type,
        value,
        words,
        metadata,
        config_id,
        time
    FROM scores
    WHERE project_id = {project_id:UUID}
        AND time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
        AND time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
        AND data_type = {data_type:String}
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
    LIMIT 1 BY score_id
)

-- Candidates for the items of experiments, newest first: spans that are the root of their item.
SELECT
    trace_id,
    span_id,
    toUnixTimestamp64Nano(start_time) AS start_ns
FROM
(
    SELECT
        trace_id,
        span_id,
        start_time
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        AND experiment_id > ''
        -- An empty list stands for all.
        AND (empty({ids:Array(String)}) OR experiment_id IN {ids:Array(String)})
        AND attributes['langfuse.experiment.item.root_observation_id'] = span_id
        AND start_time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
        AND (toUnixTimestamp64Nano(start_time), trace_id, span_id)
            < ({before_ns:Int64}, {before_trace:String}, {before_span:String})
        AND /* conditions */ 1
    ORDER BY trace_id, span_id, version DESC
    LIMIT 1 BY trace_id, span_id
)
ORDER BY
    start_time DESC,
    trace_id DESC,
    span_id DESC
LIMIT {limit:UInt32}

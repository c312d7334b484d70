-- Experiments with what the spans of some time come to, newest first. The item's root that began first
-- speaks for its experiment, another span where no root has come.
SELECT
    experiment_id,
    toUnixTimestamp64Nano(min(start_time)) AS start_ns,
    toUnixTimestamp64Nano(max(ifNull(end_time, start_time))) AS end_ns,
    countIf(is_root) AS items,
    argMin((trace_id, span_id), (NOT is_root, start_time, span_id)) AS speaker
FROM
(
    SELECT
        trace_id,
        span_id,
        start_time,
        end_time,
        experiment_id,
        attributes['langfuse.experiment.item.root_observation_id'] = span_id AS is_root
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        AND experiment_id > ''
        -- An empty list stands for all.
        AND (empty({ids:Array(String)}) OR experiment_id IN {ids:Array(String)})
        AND start_time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
        AND start_time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
        AND /* conditions */ 1
    ORDER BY trace_id, span_id, version DESC
    LIMIT 1 BY trace_id, span_id
)
GROUP BY experiment_id
HAVING (start_ns, experiment_id) < ({before_ns:Int64}, {before_id:String})
ORDER BY
    start_ns DESC,
    experiment_id DESC
LIMIT {limit:UInt32}

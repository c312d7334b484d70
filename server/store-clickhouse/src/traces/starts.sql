-- When some traces begin by the live versions of their spans. Replaced versions may still be there, and
-- what `traces` knows includes them.
SELECT
    trace_id,
    toUnixTimestamp64Nano(min(start)) AS first_ns
FROM
(
    SELECT
        trace_id,
        span_id,
        argMax(start_time, version) AS start
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        AND trace_id IN {trace_ids:Array(String)}
    GROUP BY
        trace_id,
        span_id
)
GROUP BY trace_id

-- Traces over time: a row a column of the chart, and one row (`is_total`) for the whole range.
SELECT
    intDiv(first_ns - {from_ns:Int64}, {step_ns:Int64}) AS bucket,
    grouping(bucket) AS is_total,
    count() AS traces,
    countIf(failed > 0) AS errors,
    quantileExactOrNull(0.95)(latency_ms) AS p95_ms
FROM
(
    SELECT
        trace_id,
        toUnixTimestamp64Nano(min(start_time)) AS first_ns,
        countIf(status = 'error' OR level = 'ERROR') AS failed,
        if(max(end_time) < min(start_time), 0, (toUnixTimestamp64Nano(max(end_time)) - first_ns) / 1e6) AS latency_ms
    FROM spans FINAL
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    GROUP BY trace_id
    HAVING first_ns >= {from_ns:Int64}
        AND first_ns < {to_ns:Int64}
        AND /* conditions */ 1
)
GROUP BY GROUPING SETS ((bucket), ())
ORDER BY
    is_total,
    bucket
-- Rows of one key have one hour, and with it one month: no need to look across partitions.
SETTINGS do_not_merge_across_partitions_select_final = 1

-- Values of one column among the traces of a range, each with how many traces have it, the most common
-- first. Of one trace and of one value no more is taken than a list of filters can use.
SELECT
    value,
    count() AS traces
FROM
(
    SELECT
        trace_id,
        toUnixTimestamp64Nano(min(start_time)) AS first_ns,
        if(max(end_time) < min(start_time), 0, (toUnixTimestamp64Nano(max(end_time)) - first_ns) / 1e6) AS latency_ms,
        arrayFilter(
            its -> its != '' AND length(its) <= 1000,
            /* values */ groupUniqArray(100)(toString(environment))
        ) AS its_values
    FROM spans FINAL
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    GROUP BY trace_id
    HAVING first_ns >= {from_ns:Int64}
        AND first_ns < {to_ns:Int64}
        AND /* conditions */ 1
)
ARRAY JOIN its_values AS value
GROUP BY value
ORDER BY
    traces DESC,
    value
LIMIT {limit:UInt32}
-- Rows of one key have one hour, and with it one month: no need to look across partitions.
SETTINGS do_not_merge_across_partitions_select_final = 1

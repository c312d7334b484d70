-- A slice of the spans that match, newest first. What describes a trace as a whole is no span. A replaced
-- version of a span that began at another time may be among them: the caller reads the live one of each.
SELECT
    trace_id,
    span_id,
    toUnixTimestamp64Nano(start_time) AS start_ns
FROM spans FINAL
WHERE project_id = {project_id:UUID}
    AND kind != 'trace'
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    AND toUnixTimestamp64Nano(start_time) >= {from_ns:Int64}
    AND toUnixTimestamp64Nano(start_time) < {to_ns:Int64}
    AND /* conditions */ 1
ORDER BY
    start_time DESC,
    trace_id DESC,
    span_id DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt64}
-- Rows of one key have one hour, and with it one month: no need to look across partitions.
SETTINGS do_not_merge_across_partitions_select_final = 1

-- A slice of the traces that match, in some order, and how many match in all. The caller reads each trace
-- of the slice exactly.
SELECT
    trace_id,
    count() OVER () AS total
FROM wholes
WHERE toUnixTimestamp64Nano(start_time) >= {began_from_ns:Int64}
    AND toUnixTimestamp64Nano(start_time) < {began_to_ns:Int64}
    AND /* conditions */ 1
ORDER BY
    /* order */ start_time DESC,
    trace_id DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt64}
-- Rows of one key have one hour, and with it one month: no need to look across partitions.
SETTINGS do_not_merge_across_partitions_select_final = 1

-- Spans that match and ended within a stretch of time, those that ended last first: as few bytes of each as tell which
-- they are. `from_hour` bounds how long before that they may have begun.
SELECT
    trace_id,
    span_id
FROM spans FINAL
WHERE project_id = {project_id:UUID}
    AND kind != 'trace'
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    AND end_time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
    AND end_time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
    AND /* conditions */ 1
ORDER BY
    end_time DESC,
    trace_id DESC,
    span_id DESC
LIMIT {limit:UInt32}
-- Rows of one key have one hour, and with it one month: no need to look across partitions.
SETTINGS do_not_merge_across_partitions_select_final = 1

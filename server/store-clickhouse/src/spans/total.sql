-- How many spans match: those of page.sql.
SELECT count() AS total
FROM spans FINAL
WHERE project_id = {project_id:UUID}
    AND kind != 'trace'
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    AND toUnixTimestamp64Nano(start_time) >= {from_ns:Int64}
    AND toUnixTimestamp64Nano(start_time) < {to_ns:Int64}
    AND /* conditions */ 1
SETTINGS do_not_merge_across_partitions_select_final = 1

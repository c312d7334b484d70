-- When each trace, and each session that was judged as a whole, had the first event of each type.
SELECT
    trace_id,
    if(trace_id = '', session_id, '') AS session,
    what,
    toUnixTimestamp64Nano(min(at)) AS first_ns
FROM found
GROUP BY
    trace_id,
    session,
    what
ORDER BY
    first_ns,
    trace_id,
    session,
    what
LIMIT {limit:UInt32}
-- Rows of one key have one hour, and with it one month: no need to look across partitions.
SETTINGS do_not_merge_across_partitions_select_final = 1

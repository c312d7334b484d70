-- The turns of a session by their start, each with what it used and what was wrong with it.
SELECT
    trace_id,
    name,
    toUnixTimestamp64Nano(start_time) AS start_ns,
    toUnixTimestamp64Nano(end_time) AS end_ns,
    user_id,
    environment,
    errors,
    failed_checks,
    judged.its_low_scores AS low_scores,
    input_tokens,
    output_tokens,
    CAST(cost, 'Nullable(Decimal(38, 12))') AS its_cost,
    arrayCount(call -> call.4 AND isNull(call.8), counted) AS unpriced,
    count() OVER () AS total
FROM wholes
LEFT JOIN judged ON judged.judged_trace = wholes.trace_id
WHERE session_id = {session_id:String}
ORDER BY
    start_time,
    trace_id
LIMIT {limit:UInt32}
SETTINGS do_not_merge_across_partitions_select_final = 1

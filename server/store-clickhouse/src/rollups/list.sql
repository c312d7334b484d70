-- Sessions, or users, with what their traces of some time come to, in some order.
SELECT
    /* whole key */ wholes.session_id AS id,
    toUnixTimestamp64Nano(min(start_time)) AS first_ns,
    any(chosen.last_ns) AS last_seen_ns,
    toUnixTimestamp64Nano(max(end_time)) AS end_ns,
    count() AS its_traces,
    countIf(errors > 0) AS its_failed,
    uniqExactIf(wholes.session_id, wholes.session_id != '') AS its_sessions,
    arraySort(groupUniqArrayIf(10)(wholes.user_id, wholes.user_id != '')) AS its_users,
    arraySort(groupUniqArray(10)(environment)) AS its_environments,
    sum(input_tokens) AS its_input_tokens,
    sum(output_tokens) AS its_output_tokens,
    CAST(sum(cost), 'Nullable(Decimal(38, 12))') AS its_cost,
    sum(arrayCount(call -> call.4 AND isNull(call.8), counted)) AS its_unpriced,
    sum(failed_checks) AS its_failed_checks,
    sum(judged.its_scores) AS all_scores,
    sum(judged.its_score_sum) AS score_sum,
    sum(judged.its_low_scores) AS low_scores,
    toUInt64(/* rank */ last_seen_ns) AS rank
FROM wholes
INNER JOIN chosen ON chosen.chosen_id = /* whole key */ wholes.session_id
LEFT JOIN judged ON judged.judged_trace = wholes.trace_id
WHERE toUnixTimestamp64Nano(start_time) >= {from_ns:Int64}
    AND toUnixTimestamp64Nano(start_time) < {to_ns:Int64}
GROUP BY id
HAVING (rank, id) < ({before_rank:UInt64}, {before_id:String})
ORDER BY
    rank DESC,
    id DESC
LIMIT {limit:UInt32}
SETTINGS do_not_merge_across_partitions_select_final = 1

-- What was served, by who served it.
SELECT
    serving,
    model,
    provider_name,
    instance_name,
    count() AS served,
    countIf(is_open) AS open,
    countIf(isNull(input_tokens) AND isNull(output_tokens)) AS uncounted,
    sum(input_tokens) AS all_input_tokens,
    sum(output_tokens) AS all_output_tokens
FROM calls
WHERE start_ns >= {from_ns:Int64}
    AND start_ns < {to_ns:Int64}
GROUP BY
    serving,
    model,
    provider_name,
    instance_name
ORDER BY
    served DESC,
    serving
LIMIT {limit:UInt32}
-- Rows of one key have one hour, and with it one month: no need to look across partitions.
SETTINGS do_not_merge_across_partitions_select_final = 1

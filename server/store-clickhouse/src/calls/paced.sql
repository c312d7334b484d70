-- Generations held against the objective of their model; a limit below 0 is not asked for. The rule is
-- `ObjectiveDraft::met_by`.
SELECT
    model,
    countIf(is_missed) AS missed,
    countIf(NOT is_missed AND is_unknown) AS unjudged,
    countIf(NOT is_missed AND NOT is_unknown) AS good
FROM
(
    SELECT
        model,
        transform(model, {models:Array(String)}, {ttft_limits:Array(Float64)}, toFloat64(-1)) AS ttft_limit,
        transform(model, {models:Array(String)}, {tpot_limits:Array(Float64)}, toFloat64(-1)) AS asked_tpot,
        if(isNull(tpot_ms) AND ifNull(output_tokens <= 1, 0), -1, asked_tpot) AS tpot_limit,
        is_failed
            OR (ttft_limit >= 0 AND ifNull(ttft_ms > ttft_limit, 0))
            OR (tpot_limit >= 0 AND ifNull(tpot_ms > tpot_limit, 0)) AS is_missed,
        (ttft_limit >= 0 AND isNull(ttft_ms)) OR (tpot_limit >= 0 AND isNull(tpot_ms)) AS is_unknown
    FROM calls
    WHERE is_generation
        AND start_ns >= {from_ns:Int64}
        AND start_ns < {to_ns:Int64}
        AND has({models:Array(String)}, model)
)
GROUP BY model
ORDER BY
    missed + unjudged + good DESC,
    model
-- Rows of one key have one hour, and with it one month: no need to look across partitions.
SETTINGS do_not_merge_across_partitions_select_final = 1

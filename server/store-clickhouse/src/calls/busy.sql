-- How long each set was at work: time that a call adds to those that began before it, and the time of
-- all calls. Calls that reach beyond the window count as far as they lie in it.
SELECT
    set,
    toUInt64(sum(greatest(until_ns - greatest(since_ns, reached_ns), 0))) AS busy_ns,
    toUInt64(sum(greatest(until_ns - since_ns, 0))) AS in_calls_ns
FROM
(
    SELECT
        set,
        since_ns,
        until_ns,
        max(until_ns) OVER
        (
            PARTITION BY set
            ORDER BY
                since_ns,
                until_ns
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS reached_ns
    FROM
    (
        SELECT
            toUInt32(transform(serving, {servings:Array(UInt64)}, {sets:Array(UInt32)}, 4294967295)) AS set,
            greatest(start_ns, {from_ns:Int64}) AS since_ns,
            least(end_ns, {to_ns:Int64}) AS until_ns
        FROM calls
        WHERE NOT is_open
            AND start_ns < {to_ns:Int64}
            AND end_ns > {from_ns:Int64}
    )
    WHERE set != 4294967295
)
GROUP BY set
ORDER BY set
-- Rows of one key have one hour, and with it one month: no need to look across partitions.
SETTINGS do_not_merge_across_partitions_select_final = 1

-- Traces of generations that match; of too many generations those with the smallest hash of their trace, so that repetitions
-- agree: the beginning of the queries beside it.
WITH chosen AS
(
    SELECT trace_id
    FROM
    (
        SELECT
            trace_id,
            calls,
            sum(calls) OVER
            (
                ORDER BY
                    cityHash64(trace_id),
                    trace_id
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS reached
        FROM
        (
            SELECT
                trace_id,
                uniqExact(span_id) AS calls
            FROM spans
            WHERE project_id = {project_id:UUID}
                AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
                AND start_time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
                AND start_time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
                AND kind = 'generation'
                AND call_role != 'repeat'
                AND /* conditions */ 1
            GROUP BY trace_id
        )
    )
    WHERE reached - calls < {limit:UInt32}
)

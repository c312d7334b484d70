-- Traces of the newest generations that match: the beginning of the queries beside it.
WITH chosen AS
(
    SELECT trace_id
    FROM
    (
        SELECT
            trace_id,
            span_id
        FROM spans
        WHERE project_id = {project_id:UUID}
            AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
            AND start_time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
            AND start_time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
            AND kind = 'generation'
            AND call_role != 'repeat'
            AND (toUnixTimestamp64Nano(start_time), trace_id, span_id) < ({before_ns:Int64}, {before_trace:String}, {before_span:String})
            AND /* conditions */ 1
        ORDER BY
            start_time DESC,
            trace_id DESC,
            span_id DESC
        LIMIT 1 BY
            trace_id,
            span_id
        LIMIT {limit:UInt32}
    )
)

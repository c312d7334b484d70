-- Those of some types, newest first. Of several of one type on one span the latest stands for all.
SELECT
    trace_id,
    span_id,
    toUnixTimestamp64Nano(at) AS at_ns,
    what,
    detail,
    session_id,
    prompt,
    prompt_number
FROM
(
    SELECT
        trace_id,
        span_id,
        at,
        what,
        detail,
        session_id,
        prompt,
        prompt_number
    FROM found
    WHERE what IN {types:Array(String)}
    ORDER BY
        at DESC,
        detail
    LIMIT 1 BY what, trace_id, span_id, if(trace_id = '', session_id, '')
)
WHERE (empty({rules:Array(String)}) OR has({rules:Array(String)}, JSONExtractString(detail, 'rule')))
    AND /* conditions */ 1
    AND (at, what, trace_id, span_id, session_id) < (
        fromUnixTimestamp64Nano({before_ns:Int64}, 'UTC'), {before_type:String}, {before_trace:String},
        {before_span:String}, {before_session:String}
    )
ORDER BY
    at DESC,
    what DESC,
    trace_id DESC,
    span_id DESC,
    session_id DESC
LIMIT {limit:UInt32}
-- Rows of one key have one hour, and with it one month: no need to look across partitions.
SETTINGS do_not_merge_across_partitions_select_final = 1

-- Candidates for the list of spans, newest first, within some hours. Replaced versions of a span, and
-- the same span twice, may be among them: the caller reads the live version of each and looks again.
-- What describes a trace as a whole is no span. (LIMIT 1 BY here would sort all rows of these hours instead of picking the first.)
SELECT
    trace_id,
    span_id,
    toUnixTimestamp64Nano(start_time) AS start_ns
FROM spans
WHERE project_id = {project_id:UUID}
    AND kind != 'trace'
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    AND start_time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
    AND (toUnixTimestamp64Nano(start_time), trace_id, span_id)
        < ({before_ns:Int64}, {before_trace:String}, {before_span:String})
    AND /* conditions */ 1
ORDER BY
    start_time DESC,
    trace_id DESC,
    span_id DESC
LIMIT {limit:UInt32}

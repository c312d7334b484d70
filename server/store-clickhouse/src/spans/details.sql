-- What graphs of a trace need of its steps beside its tree: of agents and what they call, the kind of the error, a
-- digest and the head of the input; of spans with "plan" in their name the output. All versions, newest first.
SELECT
    span_id,
    error_kind,
    if(input IS NULL, NULL, cityHash64(input)) AS input_digest,
    substringUTF8(ifNull(input, ''), 1, 300) AS input_head,
    if(positionCaseInsensitive(name, 'plan') > 0, substring(ifNull(output, ''), 1, 20000), '') AS plan
FROM spans
WHERE project_id = {project_id:UUID}
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    AND trace_id = {trace_id:String}
    AND (
        kind NOT IN ('generation', 'embedding', 'chain', 'event', 'trace', 'span')
        OR positionCaseInsensitive(name, 'plan') > 0
    )
ORDER BY version DESC
LIMIT {limit:UInt32}

-- What the tree shows of the spans of one trace. All versions: the newest of each is picked by the
-- caller, which is cheaper than sorting here.
SELECT
    span_id,
    parent_span_id,
    name,
    kind,
    toUnixTimestamp64Nano(start_time) AS start_ns,
    toUnixTimestamp64Nano(end_time) AS end_ns,
    status,
    level,
    error_kind,
    substringUTF8(error_message, 1, 500) AS error_text,
    service,
    if(response_model != '', response_model, request_model) AS model,
    input_tokens,
    output_tokens,
    cost,
    ttft_ms,
    tpot_ms,
    queue_ms,
    prefill_ms,
    decode_ms,
    ttft_source,
    response_id,
    call_role,
    toUInt8(length(usage_details)) AS usage_kinds,
    version
FROM spans
WHERE project_id = {project_id:UUID}
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    AND trace_id = {trace_id:String}

-- Requests by question, by the step in which they ended (began, where the end is unknown), group and measure: how many
-- values there are, their sum in 10^-9, and how many lie at each index of a sketch with γ = 1.02. Questions are asked
-- together because reading the requests costs most: each has its condition, its beginning, its dimensions and its measures.
-- A call that took longer than an hour is not found by its end. Each call counts once, by the rule of `calls/each.sql`; of an engine
-- beside clients count only times that no client of the trace knows. Which spans tell of one call is asked of every
-- version of a span: they agree on it, and rules are looked at every few seconds.
WITH
    engines AS
    (
        SELECT trace_id
        FROM spans
        WHERE project_id = {project_id:UUID}
            AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
            AND kind IN ('generation', 'embedding', 'reranker')
            AND call_role = 'engine'
    ),
    clients AS
    (
        SELECT
            cityHash64(trace_id) AS trace,
            isNotNull(ttft_ms) OR isNotNull(tpot_ms) AS knows_tokens,
            isNotNull(queue_ms) OR isNotNull(prefill_ms) AS knows_waits
        FROM spans
        WHERE project_id = {project_id:UUID}
            AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
            AND kind IN ('generation', 'embedding', 'reranker')
            AND call_role NOT IN ('engine', 'repeat')
            AND trace_id IN (SELECT trace_id FROM engines)
    ),
    wrappers AS
    (
        SELECT cityHash64(trace_id, parent_span_id) AS id
        FROM spans
        WHERE project_id = {project_id:UUID}
            AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
            AND kind IN ('generation', 'embedding', 'reranker')
            AND call_role != 'repeat'
            AND (usage_source != '' OR isNotNull(cost))
            AND parent_span_id != ''
            AND (call_role != 'engine' OR cityHash64(trace_id) NOT IN (SELECT trace FROM clients))
    )
SELECT
    question,
    step,
    groups,
    measured.1 AS measure,
    count() AS known,
    sum(toInt128(round(value * 1e9))) AS total,
    min(value) AS least,
    max(value) AS greatest,
    sumMap(
        [if(value > 0, toInt32(ceil(log(value) / log(1.02))), toInt32(-2147483648))],
        [toUInt64(1)]) AS sketch
FROM
(
    SELECT
        question,
        intDiv(ended_ns, {step_ns:Int64}) AS step,
        arrayMap(name -> named[name], {dimensions:Array(Array(String))}[question]) AS groups,
        arrayJoin(arrayFilter(pair -> has({measures:Array(Array(String))}[question], pair.1), known)) AS measured,
        least(greatest(assumeNotNull(measured.2), -1e18), 1e18) AS value
    FROM
    (
        SELECT
            ifNull(toUnixTimestamp64Nano(end_time), toUnixTimestamp64Nano(start_time)) AS ended_ns,
            arrayJoin(arrayFilter(
                (number, holds) -> holds,
                arrayEnumerate({dimensions:Array(Array(String))}),
                [/* conditions */ 1])) AS question,
            map(
                'environment', toString(environment),
                'instance', toString(instance),
                'model', if(response_model != '', toString(response_model), toString(request_model)),
                'prompt', toString(prompt_name),
                'prompt_version', toString(prompt_version),
                'provider', toString(provider),
                'release', toString(release),
                'route', toString(route),
                'service', toString(service),
                'tenant', toString(tenant),
                'user_id', user_id) AS named,
            call_role = 'engine' AND cityHash64(trace_id) IN (SELECT trace FROM clients) AS is_beside,
            cityHash64(trace_id) NOT IN (SELECT trace FROM clients WHERE knows_tokens) AS tells_tokens,
            cityHash64(trace_id) NOT IN (SELECT trace FROM clients WHERE knows_waits) AS tells_waits,
            arrayFilter(
                pair -> isFinite(ifNull(pair.2, nan))
                    AND (NOT is_beside
                        OR tells_tokens AND pair.1 IN ('token.ttft_ms', 'token.tpot_ms')
                        OR tells_waits AND pair.1 IN ('token.queue_ms', 'token.prefill_ms')),
                arrayConcat(
                    [
                        ('request.count', CAST(1, 'Nullable(Float64)')),
                        ('request.errors', toFloat64(status = 'error' OR level = 'ERROR')),
                        ('request.cost_usd', toFloat64(cost)),
                        (
                            'token.e2e_ms',
                            if(
                                end_time < start_time,
                                0,
                                (toUnixTimestamp64Nano(end_time) - toUnixTimestamp64Nano(start_time)) / 1e6
                            )
                        ),
                        ('token.ttft_ms', ttft_ms),
                        ('token.tpot_ms', tpot_ms),
                        ('token.queue_ms', queue_ms),
                        ('token.prefill_ms', prefill_ms),
                        ('token.input_tokens', toFloat64(input_tokens)),
                        ('token.output_tokens', toFloat64(output_tokens))
                    ],
                    arrayMap(
                        (name, number) -> (concat('quality.', name), CAST(number, 'Nullable(Float64)')),
                        mapKeys(quality),
                        mapValues(quality)))) AS known
        FROM spans FINAL
        WHERE project_id = {project_id:UUID}
            AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
            AND kind = 'generation'
            AND call_role != 'repeat'
            AND cityHash64(trace_id, span_id) NOT IN (SELECT id FROM wrappers)
            AND ended_ns >= {from_ns:Int64}
            AND ended_ns < {to_ns:Int64}
    )
    WHERE ended_ns >= {begins_ns:Array(Int64)}[question]
)
GROUP BY
    question,
    step,
    groups,
    measure
LIMIT {limit:UInt32}
-- Rows of one key have one hour, and with it one month: no need to look across partitions.
SETTINGS do_not_merge_across_partitions_select_final = 1

-- Semantic events of a range, each in its only version: those that spans carry, calls that came again, and judgements
-- of that name. Which calls came again is seen from an hour before the range, so that a loop that began before it has
-- the same event wherever the range begins.
WITH
    carried AS
    (
        SELECT
            trace_id,
            span_id,
            start_time AS at,
            toString(event_type) AS what,
            detail,
            session_id,
            toString(prompt_name) AS prompt,
            toString(prompt_version) AS prompt_number
        FROM
        (
            SELECT
                trace_id,
                span_id,
                start_time,
                semantic_events,
                session_id,
                prompt_name,
                prompt_version
            FROM spans FINAL
            WHERE project_id = {project_id:UUID}
                AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
                AND start_time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
                AND start_time < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
                AND notEmpty(semantic_events)
                AND ({trace_id:String} = '' OR trace_id = {trace_id:String})
        )
        ARRAY JOIN
            mapKeys(semantic_events) AS event_type,
            mapValues(semantic_events) AS detail
    ),
    runs AS
    (
        SELECT
            trace_id,
            kind,
            name,
            arraySort(groupArray((start_time, span_id, input_digest, session_id))) AS calls,
            arrayMap(call -> tupleElement(call, 3), calls) AS digests,
            arrayMap((digest, place) -> place > 1 AND digest != digests[place - 1], digests, arrayEnumerate(digests)) AS is_other,
            arrayJoin(arraySplit((call, other) -> other, calls, is_other)) AS run
        FROM spans FINAL
        WHERE project_id = {project_id:UUID}
            AND start_hour BETWEEN {near_from_hour:UInt32} AND {to_hour:UInt32}
            AND kind IN ('tool', 'agent')
            AND input_digest != 0
            AND ({trace_id:String} = '' OR trace_id = {trace_id:String})
        GROUP BY
            trace_id,
            kind,
            name,
            -- What an agent that is called by another of its name gets, it is often given again.
            if(kind = 'agent', parent_span_id, '')
    ),
    repeated AS
    (
        SELECT
            trace_id,
            tupleElement(run[{loop:UInt32}], 2) AS span_id,
            tupleElement(run[{loop:UInt32}], 1) AS at,
            'agent_loop' AS what,
            concat(
                '{"rule":"', if(kind = 'agent', 'repeated_agent', 'repeated_tool_call'), '","evidence":',
                toJSONString(concat(
                    substringUTF8(name, 1, 100),
                    if(kind = 'agent', ' was given the same input ', ' was called with the same arguments '),
                    toString(length(run)), ' times in a row'
                )),
                '}'
            ) AS detail,
            tupleElement(run[{loop:UInt32}], 4) AS session_id,
            '' AS prompt,
            '' AS prompt_number
        FROM runs
        WHERE length(run) >= {loop:UInt32}
            AND at >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
            AND at < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
    ),
    scored AS
    (
        SELECT
            s.score_id AS score,
            s.trace_id AS trace,
            s.observation_id AS span,
            s.session_id AS session,
            toString(s.name) AS named,
            argMax(s.time, s.version) AS given,
            argMax(toString(s.data_type), s.version) AS kind,
            argMax(s.value, s.version) AS number,
            argMax(toString(s.source), s.version) AS origin,
            argMax(s.comment, s.version) AS because
        FROM scores AS s
        WHERE s.project_id = {project_id:UUID}
            AND s.time >= fromUnixTimestamp64Nano({from_ns:Int64}, 'UTC')
            AND s.name IN {all_types:Array(String)}
            AND s.dataset_run_id = ''
            AND ({trace_id:String} = '' OR s.trace_id = {trace_id:String})
        GROUP BY
            score,
            trace,
            span,
            session,
            named
    ),
    judged AS
    (
        SELECT
            trace AS trace_id,
            span AS span_id,
            given AS at,
            named AS what,
            concat(
                '{"rule":"score","evidence":',
                toJSONString(concat(
                    'the score ', named, ' is ', if(kind = 'BOOLEAN', 'true', toString(number)), ', given by ',
                    multiIf(origin = 'EVAL', 'an evaluator', origin = 'ANNOTATION', 'a person', 'the API'),
                    if(because = '', '', concat(': ', substringUTF8(because, 1, 300)))
                )),
                '}'
            ) AS detail,
            session AS session_id,
            '' AS prompt,
            '' AS prompt_number
        FROM scored
        WHERE kind IN ('NUMERIC', 'BOOLEAN')
            AND number >= {least:Float64}
            AND given < fromUnixTimestamp64Nano({to_ns:Int64}, 'UTC')
    ),
    found AS
    (
        SELECT trace_id, span_id, at, what, detail, session_id, prompt, prompt_number FROM carried
        UNION ALL
        SELECT trace_id, span_id, at, what, detail, session_id, prompt, prompt_number FROM repeated
        UNION ALL
        SELECT trace_id, span_id, at, what, detail, session_id, prompt, prompt_number FROM judged
    )

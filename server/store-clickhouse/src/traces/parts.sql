-- What some traces are made of: the span that describes each as a whole, its root, and its spans by
-- start, the first of them only where there are very many.
SELECT
    trace_id,
    anyIf(span_id, kind = 'trace') AS description,
    argMinIf(span_id, (parent_span_id != '', start_time, span_id), kind != 'trace') AS root,
    arrayMap(
        place -> place.2,
        arraySort(groupArrayIf(10000)((start_time, span_id), kind != 'trace'))
    ) AS its_spans,
    -- Of several spans that say something of the trace under one key, the first by start counts.
    arrayMap(
        said -> (said.2, said.3),
        arrayReverseSort(groupArrayArray(arrayMap(
            key -> ((start_time, span_id), toString(key), metadata[key]),
            trace_metadata_keys
        )))
    ) AS said_of_trace
FROM
(
    SELECT
        trace_id,
        span_id,
        parent_span_id,
        kind,
        start_time,
        trace_metadata_keys,
        metadata
    FROM spans
    WHERE project_id = {project_id:UUID}
        AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
        AND trace_id IN {trace_ids:Array(String)}
    -- In the order of the rows as they lie: to sort them by version alone was most of the time of a large trace.
    ORDER BY trace_id, span_id, version DESC
    LIMIT 1 BY trace_id, span_id
)
GROUP BY trace_id

-- Models whose calls counted something and have no cost, the most called first.
SELECT
    if(response_model != '', toString(response_model), toString(request_model)) AS model,
    toString(provider) AS provider_name,
    count() AS calls,
    toUnixTimestamp64Nano(max(start_time)) AS last_ns
FROM spans FINAL
WHERE project_id = {project_id:UUID}
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    AND kind IN ('generation', 'embedding', 'reranker')
    AND call_role IN ('', 'own')
    AND usage_source != ''
    AND isNull(cost)
GROUP BY
    model,
    provider_name
ORDER BY
    calls DESC,
    model,
    provider_name
LIMIT {limit:UInt32}

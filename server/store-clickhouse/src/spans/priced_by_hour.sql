-- How many calls there are whose cost may be computed anew, by hour. Replaced versions are counted too.
SELECT
    start_hour,
    count() AS calls
FROM spans
WHERE project_id = {project_id:UUID}
    AND start_hour BETWEEN {from_hour:UInt32} AND {to_hour:UInt32}
    AND toUnixTimestamp64Nano(start_time) >= {from_ns:Int64}
    AND toUnixTimestamp64Nano(start_time) < {to_ns:Int64}
    AND kind IN ('generation', 'embedding', 'reranker')
    AND call_role IN ('', 'own')
    AND usage_source != ''
    AND cost_source IN ('', 'price_table')
    AND /* conditions */ 1
GROUP BY start_hour
ORDER BY start_hour

-- Series that tell of the axes, but not as parts of histograms, and those that say which GPU is whose.
SELECT
    series_id,
    name,
    kind,
    part,
    unit,
    CAST(labels, 'Map(String, String)') AS all_labels,
    toUnixTimestamp64Milli(seen) AS seen_ms
FROM
(
    SELECT *
    FROM series
    WHERE project_id = {project_id:UUID}
        AND (axis != '' OR name LIKE '%gpu_info')
        AND part = 'whole'
    ORDER BY version DESC
    LIMIT 1 BY series_id
)
WHERE seen >= fromUnixTimestamp64Milli({seen_from_ms:Int64}, 'UTC')
ORDER BY
    name,
    series_id
LIMIT {limit:UInt32}

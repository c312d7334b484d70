-- Series that match, by name and id. A label that a series does not have is empty.
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
        AND ({metric:String} = '' OR name = {metric:String} OR axis = {metric:String})
        AND (name, series_id) > ({after_name:String}, {after_series:UInt64})
    ORDER BY version DESC
    LIMIT 1 BY series_id
)
WHERE seen >= fromUnixTimestamp64Milli({seen_from_ms:Int64}, 'UTC')
    AND arrayAll((label, value) -> labels[label] = value, {is_labels:Array(String)}, {is_values:Array(String)})
    AND arrayAll((label, value) -> labels[label] != value, {not_labels:Array(String)}, {not_values:Array(String)})
    AND arrayAll((label, value) -> match(labels[label], value), {like_labels:Array(String)}, {like_values:Array(String)})
    AND arrayAll((label, value) -> NOT match(labels[label], value), {unlike_labels:Array(String)}, {unlike_values:Array(String)})
ORDER BY
    name,
    series_id
LIMIT {limit:UInt32}

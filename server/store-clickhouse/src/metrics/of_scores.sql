trace_id IN (SELECT trace_id FROM seen WHERE trace_id != '')
            -- A trace may be judged long after it: only the hours in which these lie are read.
            AND start_hour BETWEEN
            (
                SELECT toUInt32(intDiv(toUnixTimestamp(min(first_start)), 3600))
                FROM traces
                WHERE project_id = {project_id:UUID}
                    AND trace_id IN (SELECT trace_id FROM seen)
            )
            AND
            (
                SELECT toUInt32(intDiv(toUnixTimestamp(max(last_start)), 3600))
                FROM traces
                WHERE project_id = {project_id:UUID}
                    AND trace_id IN (SELECT trace_id FROM seen)
            )

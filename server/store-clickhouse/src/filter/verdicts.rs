//! Conditions on scores, and on the place of a span within its trace, in SQL.

use domain::filter::{Judged, Place, Verdict, Verdicts};

use super::{Compiled, Param};

/// Scores in their latest versions.
const LATEST: &str = "(score_id, version) IN (SELECT score_id, max(version) FROM scores \
     WHERE project_id = {project_id:UUID} GROUP BY score_id)";

impl Compiled {
    /// Whether the scores of a span, or of its trace, say so.
    pub(super) fn verdicts(&mut self, verdicts: &Verdicts) {
        let (sql, is_negative) = self.judged(verdicts);
        self.push(sql, is_negative);
    }

    /// The same as SQL, and whether it is denied.
    pub(super) fn judged(&mut self, Verdicts { of, name, verdict }: &Verdicts) -> (String, bool) {
        let name = self.text(name.clone());
        let (that, having, is_negative) = match verdict {
            Verdict::Average(compare, number) => {
                let number = self.number(*number);
                let having = format!("avg(value) {} {number}", compare.sign());
                ("data_type = 'NUMERIC'".to_owned(), having, false)
            }
            Verdict::AnyLabel(labels) | Verdict::NoLabel(labels) => {
                let labels = self.texts(labels.clone());
                let that = format!("data_type = 'CATEGORICAL' AND has({labels}, words)");
                let is_negative = matches!(verdict, Verdict::NoLabel(_));
                (that, "1".to_owned(), is_negative)
            }
            Verdict::Says(yes) => {
                let value = if *yes { "1" } else { "0" };
                let that = format!("data_type = 'BOOLEAN' AND value = {value}");
                (that, "1".to_owned(), false)
            }
        };
        let (place, judged) = match of {
            Judged::Trace => ("trace_id", "trace_id"),
            Judged::Span => ("(trace_id, span_id)", "trace_id, observation_id"),
        };
        let sql = format!(
            "{place} IN (SELECT {judged} FROM scores WHERE project_id = {{project_id:UUID}} \
             AND trace_id != '' AND name = {name} AND {that} AND {LATEST} \
             GROUP BY {judged} HAVING {having})"
        );
        (sql, is_negative)
    }

    /// Whether a span stands there among those of its trace.
    pub(super) fn place(&mut self, place: Place) {
        let number = self.name();
        self.params
            .push((number.clone(), Param::Count(place.number)));
        let direction = if place.is_from_end { "DESC" } else { "ASC" };
        let sql = format!(
            "(trace_id, span_id) IN (SELECT trace_id, span_id FROM (SELECT trace_id, span_id, \
             row_number() OVER (PARTITION BY trace_id ORDER BY start_time {direction}, span_id \
             {direction}) AS number FROM spans FINAL WHERE project_id = {{project_id:UUID}} \
             AND kind != 'trace') WHERE number = {{{number}:UInt32}})"
        );
        self.push(sql, false);
    }
}

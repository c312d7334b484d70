//! The form of a widget: what is chosen, and what there is to choose.

use domain::Fault;
use domain::dashboard::{By, Chart, Only, OnlyOperator, Pieces, Place, Question, Widget, WidgetId};
use domain::metrics::{Aggregation, Dimension, Measure, View};

use super::words;
use crate::extract::Pairs;
use crate::form::{Field, other_fault};
use crate::i18n::Lang;

/// Fields of the form, as faults name them.
const FIELDS: &[&str] = &[
    "title",
    "measure",
    "aggregation",
    "by",
    "only",
    "top",
    "bins",
];
/// The choice of a key of the metadata.
const METADATA: &str = "metadata";

/// An entry of a choice.
pub(crate) struct Offer {
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) chosen: bool,
}

/// A condition, as it is entered.
pub(crate) struct OnlyRow {
    pub(crate) fields: Vec<Offer>,
    /// Key of the metadata.
    pub(crate) key: String,
    pub(crate) is_metadata: bool,
    pub(crate) operators: Vec<Offer>,
    pub(crate) value: String,
}

/// The form.
pub(crate) struct WidgetForm {
    pub(crate) title: Field,
    pub(crate) charts: Vec<Offer>,
    pub(crate) views: Vec<Offer>,
    pub(crate) measures: Vec<Offer>,
    pub(crate) aggregations: Vec<Offer>,
    pub(crate) groups: Vec<Offer>,
    /// Key of the metadata that numbers are told apart by.
    pub(crate) key: String,
    pub(crate) is_metadata: bool,
    pub(crate) takes_groups: bool,
    pub(crate) is_histogram: bool,
    pub(crate) only: Vec<OnlyRow>,
    pub(crate) top: Field,
    pub(crate) bins: Field,
    pub(crate) pieces: Vec<Offer>,
    pub(crate) is_over_time: bool,
    /// What is wrong with the groups, and with the conditions.
    pub(crate) wrong: (String, String),
    /// What is wrong with none of the fields.
    pub(crate) fault: String,
}

/// What was entered, with what does not go together put right: another view may not have the measure that was chosen.
pub(super) fn entered(pairs: &Pairs, before: &Widget) -> Result<Widget, Fault> {
    let chart = pairs
        .get("chart")
        .and_then(Chart::from_name)
        .unwrap_or(before.chart);
    let view = pairs
        .get("view")
        .and_then(View::from_name)
        .unwrap_or(before.question.view);
    let measures = view.measures();
    let is_there = |measure: &Measure| measures.contains(measure);
    let measure = pairs
        .get("measure")
        .and_then(Measure::from_name)
        .filter(is_there);
    let measure = measure.unwrap_or(Measure::Count);
    let aggregation = pairs.get("aggregation").and_then(Aggregation::from_name);
    let fits = |it: &Aggregation| measure.takes(*it) && *it != Aggregation::Histogram;
    let usual = match measure {
        Measure::Count => Aggregation::Count,
        Measure::LatencyMs | Measure::TtftMs | Measure::StreamingMs => Aggregation::P95,
        Measure::Value => Aggregation::Average,
        it if it.takes(Aggregation::Sum) => Aggregation::Sum,
        _ => Aggregation::Uniq,
    };
    let whole = |name: &str, usual: u8| match pairs.filled(name) {
        None => Ok(usual),
        Some(text) => text
            .parse()
            .map_err(|_| Fault::invalid(format!("{name}: give a whole number")).on_field(name)),
    };
    let question = Question {
        view,
        measure,
        aggregation: match measure {
            Measure::Count => Aggregation::Count,
            _ => aggregation.filter(fits).unwrap_or(usual),
        },
        by: by(pairs.get("by"), pairs.get("by_key"), view).filter(|_| chart.takes_groups()),
        only: only(pairs, view),
        top: whole("top", before.question.top)?,
        pieces: pairs
            .get("pieces")
            .and_then(Pieces::from_name)
            .unwrap_or_default(),
        bins: whole("bins", before.question.bins)?,
    };
    Ok(Widget {
        title: pairs.get("title").unwrap_or(&before.title).to_owned(),
        chart,
        question,
        ..before.clone()
    })
}

/// A widget that nobody has changed yet.
pub(super) fn fresh(id: WidgetId, place: Place, lang: Lang) -> Widget {
    Widget {
        id,
        title: lang.t("Spans by model").to_owned(),
        chart: Chart::Stacked,
        question: Question {
            by: Some(By::Dimension(Dimension::Model)),
            ..Question::default()
        },
        place,
    }
}

fn by(name: Option<&str>, key: Option<&str>, view: View) -> Option<By> {
    match name? {
        METADATA => By::parse(&format!("metadata.{}", key.unwrap_or_default().trim())),
        name => {
            let dimension = Dimension::from_name(name)?;
            let is_there = view.dimensions().contains(&dimension);
            is_there.then_some(By::Dimension(dimension))
        }
    }
}

/// Conditions: the fields `fb`, `fk`, `fo` and `fv` come once a row.
fn only(pairs: &Pairs, view: View) -> Vec<Only> {
    let all = |name| pairs.all(name).collect::<Vec<_>>();
    let (fields, keys, operators, values) = (all("fb"), all("fk"), all("fo"), all("fv"));
    let mut only: Vec<Only> = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        let operator = operators
            .get(at)
            .and_then(|name| OnlyOperator::from_name(name));
        let operator = operator.unwrap_or_default();
        let value = values.get(at).map(|value| value.trim()).unwrap_or_default();
        let needs_none = matches!(operator, OnlyOperator::Present | OnlyOperator::Missing);
        let Some(by) = by(Some(field), keys.get(at).copied(), view) else {
            continue;
        };
        if value.is_empty() && !needs_none {
            continue;
        }
        let values: Vec<String> = (!needs_none)
            .then(|| value.to_owned())
            .into_iter()
            .collect();
        // Two rows of one field mean either of them.
        let joins = matches!(operator, OnlyOperator::Is | OnlyOperator::IsNot);
        let same = only
            .iter_mut()
            .find(|known| joins && known.by == by && known.operator == operator);
        match same {
            Some(known) => known.values.extend(values),
            None => only.push(Only {
                by,
                operator,
                values,
            }),
        }
    }
    only
}

impl WidgetForm {
    /// Of a widget, with what is wrong with it.
    pub(super) fn new(widget: &Widget, fault: Option<&Fault>, lang: Lang) -> Self {
        let question = &widget.question;
        let field = |name: &str, value: &str| {
            let field = Field::holding(value);
            fault.map_or_else(
                || field.clone(),
                |fault| field.clone().with_fault(name, fault),
            )
        };
        let wrong = |name: &str| field(name, "").error;
        let named = |all: &[(&str, &'static str)], chosen: &str| -> Vec<Offer> {
            let offers = all.iter().map(|(value, label)| Offer {
                value: (*value).to_owned(),
                label: lang.t(label).to_owned(),
                chosen: *value == chosen,
            });
            offers.collect()
        };
        let charts: Vec<_> = Chart::ALL
            .iter()
            .map(|it| (it.as_str(), words::chart(*it)))
            .collect();
        let views: Vec<_> = View::ALL
            .iter()
            .map(|it| (it.as_str(), words::view(*it)))
            .collect();
        let measures = question.view.measures().iter();
        let measures: Vec<_> = measures
            .map(|it| (it.as_str(), words::measure(*it)))
            .collect();
        let fits = |it: &&Aggregation| {
            let is_count = question.measure == Measure::Count;
            question.measure.takes(**it)
                && **it != Aggregation::Histogram
                && (!is_count || **it == Aggregation::Count)
        };
        let aggregations = Aggregation::ALL.iter().filter(fits);
        let aggregations: Vec<_> = aggregations
            .map(|it| (it.as_str(), words::aggregation(*it)))
            .collect();
        let pieces: Vec<_> = Pieces::ALL
            .iter()
            .map(|it| (it.as_str(), words::pieces(*it)))
            .collect();
        let (group, key) = parts(question.by.as_ref());
        let mut groups = vec![Offer {
            value: String::new(),
            label: lang.t("nothing").to_owned(),
            chosen: group.is_empty(),
        }];
        groups.extend(fields(question.view, &group, lang));
        let mut only: Vec<OnlyRow> = question
            .only
            .iter()
            .flat_map(|only| rows(only, question.view, lang))
            .collect();
        only.push(blank(question.view, lang));
        WidgetForm {
            title: field("title", &widget.title),
            charts: named(&charts, widget.chart.as_str()),
            views: named(&views, question.view.as_str()),
            measures: named(&measures, question.measure.as_str()),
            aggregations: named(&aggregations, question.aggregation.as_str()),
            is_metadata: group == METADATA,
            groups,
            key,
            takes_groups: widget.chart.takes_groups(),
            is_histogram: widget.chart == Chart::Histogram,
            only,
            top: field("top", &question.top.to_string()),
            bins: field("bins", &question.bins.to_string()),
            pieces: named(&pieces, question.pieces.as_str()),
            is_over_time: widget.chart.is_over_time(question.by.is_some()),
            wrong: (wrong("by"), wrong("only")),
            fault: fault.map_or_else(String::new, |fault| {
                let known = other_fault(fault, FIELDS);
                let of_choices = ["measure", "aggregation"].map(wrong).concat();
                known + &of_choices
            }),
        }
    }
}

fn parts(by: Option<&By>) -> (String, String) {
    match by {
        None => (String::new(), String::new()),
        Some(By::Dimension(dimension)) => (dimension.to_string(), String::new()),
        Some(By::Metadata(key)) => (METADATA.to_owned(), key.clone()),
    }
}

/// What rows of a view can be told apart by; not what each row has for itself.
fn fields(view: View, chosen: &str, lang: Lang) -> Vec<Offer> {
    let own = [
        Dimension::Id,
        Dimension::Trace,
        Dimension::Parent,
        Dimension::Observation,
    ];
    let dimensions = view.dimensions().iter().filter(|it| !own.contains(it));
    let mut offers: Vec<Offer> = dimensions
        .map(|it| Offer {
            value: it.as_str().to_owned(),
            label: lang.t(words::dimension(*it)).to_owned(),
            chosen: it.as_str() == chosen,
        })
        .collect();
    offers.push(Offer {
        value: METADATA.to_owned(),
        label: lang.t("Key of the metadata").to_owned(),
        chosen: chosen == METADATA,
    });
    offers
}

fn rows(only: &Only, view: View, lang: Lang) -> Vec<OnlyRow> {
    let (field, key) = parts(Some(&only.by));
    let row = |value: &str| OnlyRow {
        fields: fields(view, &field, lang),
        is_metadata: field == METADATA,
        key: key.clone(),
        operators: operators(only.operator, lang),
        value: value.to_owned(),
    };
    match only.values.is_empty() {
        true => vec![row("")],
        false => only.values.iter().map(|value| row(value)).collect(),
    }
}

/// A row that nothing was entered in: with the field that most narrow by.
fn blank(view: View, lang: Lang) -> OnlyRow {
    OnlyRow {
        fields: fields(view, Dimension::Environment.as_str(), lang),
        is_metadata: false,
        key: String::new(),
        operators: operators(OnlyOperator::Is, lang),
        value: String::new(),
    }
}

fn operators(chosen: OnlyOperator, lang: Lang) -> Vec<Offer> {
    let offers = OnlyOperator::ALL.iter().map(|it| Offer {
        value: it.as_str().to_owned(),
        label: lang.t(words::operator(*it)).to_owned(),
        chosen: *it == chosen,
    });
    offers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Widget {
        let place = Place {
            x: 0,
            y: 0,
            w: 6,
            h: 6,
        };
        let before = fresh(WidgetId(1), place, Lang::En);
        entered(&Pairs::parse(query.as_bytes()), &before).unwrap()
    }

    #[test]
    fn what_another_view_does_not_have_is_put_right() {
        let mut widget =
            read("chart=line&view=traces&measure=ttft_ms&aggregation=p95&by=model&title=t");
        assert_eq!(widget.question.measure, Measure::Count);
        assert_eq!(widget.question.aggregation, Aggregation::Count);
        assert_eq!(widget.question.by, None);
        widget.check().unwrap();
        let users = read("view=traces&measure=users&aggregation=p95");
        assert_eq!(users.question.aggregation, Aggregation::Uniq);
    }

    #[test]
    fn rows_of_conditions_are_joined_and_empty_ones_left_out() {
        let widget = read(
            "view=observations&fb=environment&fk=&fo=is&fv=production&fb=environment&fk=&fo=is&fv=staging\
             &fb=metadata&fk=team&fo=present&fv=&fb=level&fk=&fo=is&fv=",
        );
        let only = &widget.question.only;
        assert_eq!(only.len(), 2);
        assert_eq!(only[0].values, ["production", "staging"]);
        assert_eq!(only[1].by, By::Metadata("team".to_owned()));
        let form = WidgetForm::new(&widget, None, Lang::En);
        assert_eq!(form.only.len(), 4, "a row a value, and one to fill in");
    }

    #[test]
    fn every_choice_leads_to_a_widget_that_can_be_asked_or_says_why_not() {
        for view in View::ALL {
            for chart in Chart::ALL {
                for measure in view.measures() {
                    let by = if chart.takes_groups() {
                        "environment"
                    } else {
                        ""
                    };
                    let by = match measure {
                        Measure::CostByKind => "cost_kind",
                        Measure::UsageByKind => "usage_kind",
                        _ => by,
                    };
                    let mut widget = read(&format!(
                        "view={view}&chart={chart}&measure={measure}&by={by}"
                    ));
                    if let Err(fault) = widget.check() {
                        let field = fault.field.unwrap();
                        assert!(
                            FIELDS.contains(&field.as_str()),
                            "{view} {chart} {measure}: {}",
                            fault.message
                        );
                    }
                }
            }
        }
    }
}

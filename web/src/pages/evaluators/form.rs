//! The form of an evaluator, as it is filled in, and what would be scored.

use askama::Template;
use domain::evaluator::{EvaluatorDraft, Judge, LooksAt, Method, On, Rule, RuleKind, Scale};
use domain::llm_connection::LlmConnection;
use domain::score::DataType;
use domain::{EvaluatorId, Fault, Timestamp, Usd};
use service::completions;
use service::evaluators::Trial;

use super::trials::TrialRow;
use super::words;
use crate::extract::{Pairs, Reader};
use crate::form::{Field, other_fault};
use crate::format;
use crate::layout::{Frame, Section, Shell};
use crate::pages::settings::score_kind;
use crate::urls;

/// What a judge is asked as the form opens.
const PROMPT: &str = "You judge the answers of an assistant.\n\nQuestion:\n{{input}}\n\nAnswer:\n{{output}}\n\n\
                      How helpful is the answer? 0: not at all. 1: it could not be better.";
/// Kinds of scores that a judge may give.
const TYPES: [DataType; 3] = [DataType::Numeric, DataType::Boolean, DataType::Categorical];
/// Fields of the form, as faults name them.
const FIELDS: [&str; 16] = [
    "name",
    "filter",
    "sample_rate",
    "score.name",
    "score.data_type",
    "score.labels",
    "score.min",
    "score.max",
    "judge.connection_id",
    "judge.model",
    "judge.prompt",
    "max_cost_per_day",
    "rule.check",
    "rule.value",
    "rule.min",
    "rule.max",
];

/// The page.
#[derive(Template)]
#[template(path = "evaluators/form.html")]
pub(crate) struct FormPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) fault: String,
    /// Name of the evaluator; empty of one that is about to be made.
    pub(crate) heading: String,
    pub(crate) list_url: String,
    pub(crate) evaluator_url: String,
    pub(crate) connections_url: String,
    pub(crate) action: String,
    pub(crate) form: EvaluatorForm,
    /// Connections: id, name, whether it is chosen.
    pub(crate) connections: Vec<(String, String, bool)>,
    /// Models that they offer.
    pub(crate) models: Vec<String>,
    /// What it may look at: name, words, whether it is chosen.
    pub(crate) looks: Vec<(&'static str, &'static str, bool)>,
    pub(crate) types: Vec<(&'static str, &'static str, bool)>,
    pub(crate) checks: Vec<(&'static str, &'static str, bool)>,
    pub(crate) sides: Vec<(&'static str, &'static str, bool)>,
    /// What would be scored, where it was tried.
    pub(crate) trials: Option<Vec<TrialRow>>,
}

/// The form as it is filled in.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvaluatorForm {
    pub(crate) is_judge: bool,
    pub(crate) name: Field,
    pub(crate) filter: Field,
    /// In percent.
    pub(crate) share: Field,
    pub(crate) score: Field,
    pub(crate) data_type: Field,
    pub(crate) labels: Field,
    pub(crate) least: Field,
    pub(crate) most: Field,
    pub(crate) connection: Field,
    pub(crate) model: Field,
    pub(crate) prompt: Field,
    pub(crate) cost: Field,
    pub(crate) check: Field,
    pub(crate) value: Field,
    pub(crate) rule_least: Field,
    pub(crate) rule_most: Field,
    pub(crate) is_enabled: bool,
    looks_at: LooksAt,
    on: On,
}

impl EvaluatorForm {
    /// As it opens for a new one.
    pub(crate) fn empty(is_judge: bool) -> Self {
        let is = |text: &str| Field::holding(text);
        EvaluatorForm {
            is_judge,
            share: is(if is_judge { "10" } else { "100" }),
            data_type: is(DataType::Numeric.as_str()),
            least: is(if is_judge { "0" } else { "" }),
            most: is(if is_judge { "1" } else { "" }),
            prompt: is(PROMPT),
            cost: is(if is_judge { "1" } else { "" }),
            check: is(RuleKind::default().as_str()),
            ..EvaluatorForm::default()
        }
    }

    /// Of one that is there.
    pub(crate) fn of(draft: &EvaluatorDraft) -> Self {
        let is = |text: &str| Field::holding(text);
        let number = |bound: Option<f64>| {
            Field::holding(&bound.map_or_else(String::new, |bound| bound.to_string()))
        };
        let score = &draft.score;
        let form = EvaluatorForm {
            name: is(&draft.name),
            filter: is(&draft.filter),
            share: is(&format::trimmed(draft.sample_rate * 100.0, 6)),
            score: is(&score.name),
            data_type: is(score.data_type.as_str()),
            labels: is(&score.labels.join("\n")),
            least: number(score.min),
            most: number(score.max),
            cost: is(&draft
                .max_cost_per_day
                .map_or_else(String::new, |most| most.to_string())),
            is_enabled: draft.is_enabled,
            looks_at: draft.looks_at,
            ..EvaluatorForm::default()
        };
        match &draft.method {
            Method::Judge(judge) => EvaluatorForm {
                is_judge: true,
                connection: is(&judge.connection.to_string()),
                model: is(&judge.model),
                prompt: is(&judge.prompt),
                ..form
            },
            Method::Rule(rule) => EvaluatorForm {
                check: is(rule.kind.as_str()),
                value: is(&rule.value),
                rule_least: number(rule.min),
                rule_most: number(rule.max),
                on: rule.on,
                ..form
            },
        }
    }

    /// As somebody sent it.
    pub(crate) fn posted(pairs: &Pairs) -> Self {
        let field = |name| Field::holding(pairs.get(name).unwrap_or_default().trim());
        EvaluatorForm {
            is_judge: pairs.get("kind") == Some("judge"),
            name: field("name"),
            filter: field("filter"),
            share: field("share"),
            score: field("score"),
            data_type: field("data_type"),
            labels: field("labels"),
            least: field("least"),
            most: field("most"),
            connection: field("connection"),
            model: field("model"),
            prompt: Field::holding(
                &pairs
                    .get("prompt")
                    .unwrap_or_default()
                    .replace("\r\n", "\n"),
            ),
            cost: field("cost"),
            check: field("check"),
            value: field("value"),
            rule_least: field("rule_least"),
            rule_most: field("rule_most"),
            is_enabled: pairs.get("enabled") == Some("1"),
            looks_at: pairs
                .get("looks_at")
                .and_then(LooksAt::from_name)
                .unwrap_or_default(),
            on: pairs.get("on").and_then(On::from_name).unwrap_or_default(),
        }
    }

    /// What it sets.
    ///
    /// # Errors
    /// `invalid` on a field.
    pub(crate) fn draft(&self) -> Result<EvaluatorDraft, Fault> {
        let share: Option<f64> = self.share.value.trim_end_matches('%').trim().parse().ok();
        let share = share.filter(|share| *share > 0.0 && *share <= 100.0);
        let share =
            share.ok_or_else(|| wrong("sample_rate", "must be above 0 % and at most 100 %"))?;
        let name = &self.name.value;
        let score = match self.score.value.is_empty() {
            true => name.clone(),
            false => self.score.value.clone(),
        };
        let (method, scale) = match self.is_judge {
            true => (Method::Judge(self.judge()?), self.scale(score)?),
            false => {
                let scale = Scale {
                    name: score,
                    data_type: DataType::Boolean,
                    labels: Vec::new(),
                    min: None,
                    max: None,
                };
                (Method::Rule(self.rule()?), scale)
            }
        };
        let cost = match self.cost.value.is_empty() || !self.is_judge {
            true => None,
            false => {
                let cost: Result<Usd, _> = self.cost.value.trim_start_matches('$').parse();
                Some(
                    cost.map_err(|_| wrong("max_cost_per_day", "must be US dollars such as 2.50"))?,
                )
            }
        };
        Ok(EvaluatorDraft {
            name: name.clone(),
            method,
            looks_at: self.looks_at,
            filter: self.filter.value.clone(),
            sample_rate: share / 100.0,
            score: scale,
            max_cost_per_day: cost,
            is_enabled: self.is_enabled,
        })
    }

    fn judge(&self) -> Result<Judge, Fault> {
        let connection = self.connection.value.parse();
        Ok(Judge {
            connection: connection.map_err(|_| wrong("judge.connection_id", "choose one"))?,
            model: self.model.value.clone(),
            prompt: self.prompt.value.clone(),
        })
    }

    fn scale(&self, name: String) -> Result<Scale, Fault> {
        let data_type = DataType::from_name(&self.data_type.value).unwrap_or_default();
        let is_numeric = data_type == DataType::Numeric;
        let bound = |field: &Field, path| match is_numeric {
            true => number(field, path),
            false => Ok(None),
        };
        let labels = self.labels.value.lines().map(|line| line.trim().to_owned());
        Ok(Scale {
            name,
            data_type,
            labels: match data_type {
                DataType::Categorical => labels.filter(|label| !label.is_empty()).collect(),
                _ => Vec::new(),
            },
            min: bound(&self.least, "score.min")?,
            max: bound(&self.most, "score.max")?,
        })
    }

    fn rule(&self) -> Result<Rule, Fault> {
        let kind = RuleKind::from_name(&self.check.value);
        let kind = kind.ok_or_else(|| wrong("rule.check", "choose one"))?;
        let bound = |field: &Field, path| match kind.takes_bounds() {
            true => number(field, path),
            false => Ok(None),
        };
        Ok(Rule {
            kind,
            on: self.on,
            // What another check would take is not held against this one.
            value: match kind.takes_value() {
                true => self.value.value.clone(),
                false => String::new(),
            },
            min: bound(&self.rule_least, "rule.min")?,
            max: bound(&self.rule_most, "rule.max")?,
        })
    }

    fn with_fault(mut self, fault: &Fault) -> Self {
        let fields = [
            ("name", &mut self.name),
            ("filter", &mut self.filter),
            ("sample_rate", &mut self.share),
            ("score.name", &mut self.score),
            ("score.data_type", &mut self.data_type),
            ("score.labels", &mut self.labels),
            ("score.min", &mut self.least),
            ("score.max", &mut self.most),
            ("judge.connection_id", &mut self.connection),
            ("judge.model", &mut self.model),
            ("judge.prompt", &mut self.prompt),
            ("max_cost_per_day", &mut self.cost),
            ("rule.check", &mut self.check),
            ("rule.value", &mut self.value),
            ("rule.min", &mut self.rule_least),
            ("rule.max", &mut self.rule_most),
        ];
        for (name, field) in fields {
            *field = std::mem::take(field).with_fault(name, fault);
        }
        self
    }
}

impl FormPage {
    /// Of a form; `of`: the evaluator that it changes, with its name.
    pub(crate) fn new(
        reader: &Reader,
        form: EvaluatorForm,
        of: Option<(EvaluatorId, &str)>,
        connections: &[LlmConnection],
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let served: Vec<&LlmConnection> = connections
            .iter()
            .filter(|connection| completions::is_served(connection.adapter))
            .collect();
        let mut models: Vec<String> = served
            .iter()
            .flat_map(|one| completions::offered(one))
            .collect();
        models.sort_unstable();
        models.dedup();
        let choice = |connection: &&LlmConnection| {
            let id = connection.id.to_string();
            let is_chosen = id == form.connection.value;
            (id, connection.provider.clone(), is_chosen)
        };
        let looks = LooksAt::ALL.iter();
        let types = TYPES.into_iter();
        let checks = RuleKind::ALL.iter();
        let sides = On::ALL.iter();
        FormPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Evaluators),
            fault: String::new(),
            heading: of.map_or_else(String::new, |(_, name)| name.to_owned()),
            list_url: urls::evaluators(id),
            evaluator_url: of.map_or_else(String::new, |(of, _)| urls::evaluator(id, of)),
            connections_url: urls::llm_connections(id),
            action: match of {
                Some((of, _)) => urls::evaluator_part(id, of, "edit"),
                None => urls::evaluator_new(id),
            },
            connections: served.iter().map(choice).collect(),
            models,
            looks: looks
                .map(|at| {
                    (
                        at.as_str(),
                        words::looks_at(*at, lang),
                        *at == form.looks_at,
                    )
                })
                .collect(),
            types: types
                .map(|one| {
                    let is_chosen = one.as_str() == form.data_type.value;
                    (one.as_str(), score_kind(one, lang), is_chosen)
                })
                .collect(),
            checks: checks
                .map(|kind| {
                    let is_chosen = kind.as_str() == form.check.value;
                    (kind.as_str(), lang.t(words::check(*kind)), is_chosen)
                })
                .collect(),
            sides: sides
                .map(|on| (on.as_str(), words::on(*on, lang), *on == form.on))
                .collect(),
            trials: None,
            form,
        }
    }

    /// The page with what was wrong.
    #[must_use]
    pub(crate) fn with_fault(mut self, fault: &Fault) -> Self {
        self.form = self.form.with_fault(fault);
        self.fault = other_fault(fault, &FIELDS);
        self
    }

    /// The page with what would be scored.
    #[must_use]
    pub(crate) fn with_trials(mut self, reader: &Reader, trials: &[Trial], now: Timestamp) -> Self {
        let rows = trials.iter();
        self.trials = Some(
            rows.map(|trial| TrialRow::new(reader, trial, now))
                .collect(),
        );
        self
    }
}

fn number(field: &Field, path: &str) -> Result<Option<f64>, Fault> {
    if field.value.is_empty() {
        return Ok(None);
    }
    let number: Result<f64, _> = field.value.parse();
    number
        .map(Some)
        .map_err(|_| wrong(path, "must be a number"))
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(why).on_field(field)
}

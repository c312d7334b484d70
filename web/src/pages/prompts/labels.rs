//! Labels: where each stands, what becomes of it when a version is to blame, a move with what speaks against it, and what
//! was done.

use askama::Template;
use domain::Timestamp;
use domain::axes::Requests;
use domain::prompt::Label;
use domain::rollback::{Check, Limits, Mode, Rollback, State};
use domain::tenancy::Permission;
use serde_json::Value;
use service::prompts::Told;
use service::rollback::{Answer, Shown};

use super::content::frame;
use super::head::{Head, Standing, Tag, author, when};
use super::outcomes;
use super::query::PromptQuery;
use super::split::{TestForm, TestView};
use crate::extract::Reader;
use crate::format;
use crate::i18n::{Lang, text};
use crate::layout::{Frame, Shell};
use crate::measure;
use crate::urls;

/// A move that somebody thinks of.
pub(crate) struct Asked {
    pub(crate) label: Label,
    pub(crate) to: u32,
    /// The version that the label stands on; `None`: on none, so that nothing speaks against it.
    pub(crate) from: Option<u32>,
    /// What the safety net says.
    pub(crate) answer: Option<Answer>,
}

/// Labels of a prompt.
#[derive(Template)]
#[template(path = "prompts/labels.html")]
pub(crate) struct LabelsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) head: Head,
    pub(crate) rows: Vec<LabelRow>,
    pub(crate) asked: Option<AskedView>,
    pub(crate) moves_url: String,
    pub(crate) unlabel_url: String,
    pub(crate) policy_url: String,
    pub(crate) undo_url: String,
    pub(crate) test_url: String,
    pub(crate) tests: Vec<TestView>,
    pub(crate) test_forms: Vec<TestForm>,
    pub(crate) method: &'static str,
    pub(crate) rollbacks: Vec<RollbackRow>,
    pub(crate) history: Vec<HistoryRow>,
}

/// A label.
pub(crate) struct LabelRow {
    pub(crate) tag: Tag,
    pub(crate) label: String,
    pub(crate) version: u32,
    pub(crate) version_url: String,
    /// Whether the reader may move it.
    pub(crate) may_move: bool,
    /// Name and words of each mode, and whether it is in force.
    pub(crate) modes: Vec<(&'static str, &'static str, bool)>,
    /// Name, words and value of each limit.
    pub(crate) limits: Vec<(&'static str, &'static str, String)>,
    pub(crate) set: String,
    pub(crate) dialog: String,
}

/// A move that somebody thinks of, with what speaks against it.
pub(crate) struct AskedView {
    pub(crate) label: String,
    pub(crate) to: u32,
    pub(crate) from: String,
    pub(crate) said: String,
    pub(crate) allowed: bool,
    pub(crate) checks: Vec<CheckRow>,
}

/// One comparison.
pub(crate) struct CheckRow {
    pub(crate) name: String,
    pub(crate) target: String,
    pub(crate) current: String,
    pub(crate) limit: String,
    pub(crate) ok: bool,
    /// Whether anything was measured that could speak for or against it.
    pub(crate) is_known: bool,
    pub(crate) reason: String,
}

/// A label that went back, or might.
pub(crate) struct RollbackRow {
    pub(crate) id: String,
    pub(crate) at: String,
    pub(crate) exact: String,
    pub(crate) label: String,
    pub(crate) said: String,
    pub(crate) by: String,
    pub(crate) state: &'static str,
    pub(crate) class: &'static str,
    pub(crate) reason: String,
    pub(crate) incident_url: String,
    pub(crate) may_undo: bool,
}

/// Something that was done.
pub(crate) struct HistoryRow {
    pub(crate) at: String,
    pub(crate) exact: String,
    pub(crate) what: String,
    pub(crate) by: String,
}

impl LabelsPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        (standing, query): (&Standing, &PromptQuery),
        (policies, asked, tests): (&[Shown], Option<&Asked>, &[Option<Requests>]),
        (rollbacks, history): (&[Rollback], &[Told]),
        now: Timestamp,
    ) -> Self {
        let (id, name) = (reader.id(), &standing.shown.name);
        LabelsPage {
            shell: Frame::shell(reader),
            frame: frame(reader),
            head: Head::new(reader, standing, query, now),
            rows: rows(reader, standing, policies),
            asked: asked.map(|asked| AskedView::new(asked, reader.lang())),
            moves_url: urls::prompt_do(id, "labels", name),
            unlabel_url: urls::prompt_do(id, "unlabel", name),
            policy_url: urls::prompt_do(id, "policy", name),
            undo_url: urls::prompt_do(id, "undo", name),
            test_url: urls::prompt_do(id, "test", name),
            tests: TestView::all(reader, standing, tests),
            test_forms: TestForm::all(reader, standing),
            method: outcomes::method(reader.lang()),
            rollbacks: rollbacks
                .iter()
                .map(|rollback| RollbackRow::new(reader, standing, rollback, now))
                .collect(),
            history: history
                .iter()
                .map(|told| HistoryRow {
                    at: when(reader, told.at, now),
                    exact: reader.zone().exact(told.at),
                    what: what(told, reader.lang()),
                    by: author(&standing.authors, &told.actor, reader.lang()),
                })
                .collect(),
        }
    }
}

/// Labels but `latest`, which moves by itself, with the versions that they stand on.
pub(super) fn standing_labels(standing: &Standing) -> Vec<(&Label, u32)> {
    let all = standing.versions.iter().flat_map(|head| {
        let labels = head.labels.iter().filter(|label| !label.is_latest());
        labels.map(|label| (label, head.version))
    });
    let mut all: Vec<(&Label, u32)> = all.collect();
    all.sort_by_key(|(label, _)| (label.as_str() != Label::PRODUCTION, *label));
    all
}

fn rows(reader: &Reader, standing: &Standing, policies: &[Shown]) -> Vec<LabelRow> {
    let lang = reader.lang();
    let may_change = reader.may(Permission::ChangePrompts);
    let may_protected = reader.may(Permission::MoveProtectedLabels);
    let row = |(at, (label, version)): (usize, (&Label, u32))| {
        let shown = policies.iter().find(|shown| shown.policy.label == *label);
        let (mode, limits) = shown.map_or((Mode::Off, Limits::default()), |shown| {
            (shown.policy.mode, shown.policy.limits)
        });
        let is_protected = standing.protected.contains(label);
        let mut tags = Tag::all(std::slice::from_ref(label), &standing.protected);
        let number = version.to_string();
        let pairs = [("version", number.as_str())];
        Some(LabelRow {
            tag: tags.pop()?,
            label: label.to_string(),
            version,
            version_url: urls::prompt_with(reader.id(), &standing.shown.name, &pairs),
            may_move: may_change && (may_protected || !is_protected),
            modes: modes(mode, lang),
            limits: limit_fields(&limits, lang),
            set: shown
                .and_then(|shown| shown.set.as_ref())
                .map(|(by, at)| {
                    let by = author(&standing.authors, by, lang);
                    format!("{by}, {}", reader.zone().minute(*at))
                })
                .unwrap_or_default(),
            dialog: format!("policy-{at}"),
        })
    };
    let labels = standing_labels(standing).into_iter();
    labels.enumerate().filter_map(row).collect()
}

fn modes(mode: Mode, lang: Lang) -> Vec<(&'static str, &'static str, bool)> {
    [
        (Mode::Off, lang.t("stays")),
        (Mode::Suggest, lang.t("a person is asked")),
        (Mode::Auto, lang.t("goes back by itself")),
    ]
    .into_iter()
    .map(|(known, words)| (known.as_str(), words, known == mode))
    .collect()
}

fn limit_fields(limits: &Limits, lang: Lang) -> Vec<(&'static str, &'static str, String)> {
    let number = |number: f64| format::trimmed(number, 6);
    vec![
        (
            "min_requests",
            lang.t("Least requests on either side"),
            limits.min_requests.to_string(),
        ),
        (
            "input_tokens_ratio",
            lang.t("Input tokens, at most times"),
            number(limits.input_tokens_ratio),
        ),
        (
            "output_tokens_ratio",
            lang.t("Output tokens, at most times"),
            number(limits.output_tokens_ratio),
        ),
        (
            "latency_ratio",
            lang.t("Latency, at most times"),
            number(limits.latency_ratio),
        ),
        (
            "format_valid_drop",
            lang.t("Format valid, at most less"),
            number(limits.format_valid_drop),
        ),
        (
            "refused_rise",
            lang.t("Refused, at most more"),
            number(limits.refused_rise),
        ),
        (
            "cooldown_s",
            lang.t("Seconds until it goes back again"),
            limits.cooldown_s.to_string(),
        ),
    ]
}

impl AskedView {
    fn new(asked: &Asked, lang: Lang) -> Self {
        let to = asked.to.to_string();
        let label = asked.label.to_string();
        let checks: &[Check] = asked.answer.as_ref().map_or(&[], |answer| &answer.checks);
        let failed = checks.iter().filter(|check| !check.ok).count();
        let allowed = asked.answer.as_ref().is_none_or(|answer| answer.allowed);
        let said = match (asked.from, failed) {
            (None, _) => lang.fill(
                "{} stands on no version: there is nothing to compare {} with.",
                &[&label, &to],
            ),
            (Some(_), 0) => lang.fill("Every check holds: {} may carry {}.", &[&to, &label]),
            (Some(_), failed) => lang.fill(
                "{} of {} checks do not hold for {} carrying {}.",
                &[&failed.to_string(), &checks.len().to_string(), &to, &label],
            ),
        };
        AskedView {
            from: asked.from.map(|from| from.to_string()).unwrap_or_default(),
            label,
            to: asked.to,
            said,
            allowed,
            checks: checks
                .iter()
                .map(|check| CheckRow::new(check, lang))
                .collect(),
        }
    }
}

impl CheckRow {
    fn new(check: &Check, lang: Lang) -> Self {
        let (series, aggregate) = check.metric.split_once(':').unwrap_or((&check.metric, ""));
        let number = |value: Option<f64>| {
            let value = value.map(|value| measure::number(plain(series), value));
            value.unwrap_or_else(|| format::NOTHING.to_owned())
        };
        let suffix = if aggregate == "rate" { "" } else { aggregate };
        CheckRow {
            name: format!("{} {suffix}", measure::name(plain(series), lang))
                .trim_end()
                .to_owned(),
            target: number(check.target_7d),
            current: number(check.current),
            limit: number(check.limit),
            ok: check.ok,
            is_known: check.target_7d.or(check.current).is_some(),
            reason: check.reason.clone(),
        }
    }
}

/// The name that a series of rules has among values of the axes.
fn plain(series: &str) -> &str {
    match series {
        "request.count" => "requests",
        "request.errors" => "errors",
        "request.cost_usd" => "cost",
        series => series,
    }
}

impl RollbackRow {
    fn new(reader: &Reader, standing: &Standing, rollback: &Rollback, now: Timestamp) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let to = rollback.to_version.map(|to| to.to_string());
        let stands = standing_labels(standing)
            .into_iter()
            .find(|(label, _)| **label == rollback.label)
            .map(|(_, version)| version);
        let is_protected = standing.protected.contains(&rollback.label);
        let may = reader.may(Permission::ChangePrompts)
            && (!is_protected || reader.may(Permission::MoveProtectedLabels));
        RollbackRow {
            id: rollback.id.to_string(),
            at: when(reader, rollback.created_at, now),
            exact: reader.zone().exact(rollback.created_at),
            label: rollback.label.to_string(),
            said: format!(
                "{} → {}",
                rollback.from_version,
                to.unwrap_or_else(|| format::NOTHING.to_owned())
            ),
            by: author(&standing.authors, &rollback.actor, lang),
            state: lang.t(state(rollback.state)),
            class: match rollback.state {
                State::Applied => "tag-live",
                State::Waiting | State::Suggested => "tag-accent",
                State::Refused | State::Undone => "",
            },
            reason: rollback.reason.clone(),
            incident_url: rollback
                .incident
                .map(|incident| urls::incident(id, incident))
                .unwrap_or_default(),
            may_undo: may
                && rollback.state == State::Applied
                && stands.is_some()
                && stands == rollback.to_version,
        }
    }
}

fn state(state: State) -> &'static str {
    match state {
        State::Waiting => text!("waiting"),
        State::Suggested => text!("suggested"),
        State::Applied => text!("done"),
        State::Refused => text!("refused"),
        State::Undone => text!("undone"),
    }
}

/// What was done, in words.
pub(crate) fn what(told: &Told, lang: Lang) -> String {
    let text = |value: &Value, field: &str| match &value[field] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let list = |value: &Value| match value {
        Value::Array(all) => {
            let each = all.iter().map(|one| match one {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            });
            each.collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    };
    let (before, after) = (&told.before, &told.after);
    let dash = |text: String| {
        if text.is_empty() {
            "–".to_owned()
        } else {
            text
        }
    };
    let moved = || {
        let label = text(if after.is_null() { before } else { after }, "label");
        let (from, to) = (dash(text(before, "version")), dash(text(after, "version")));
        (label, from, to)
    };
    match told.action.as_str() {
        "prompt.created" => {
            let (version, labels) = (text(after, "version"), list(&after["labels"]));
            match text(after, "commit_message") {
                message if message.is_empty() => {
                    lang.fill("Version {} made, with {}", &[&version, &labels])
                }
                message => lang.fill(
                    "Version {} made, with {}: {}",
                    &[&version, &labels, &message],
                ),
            }
        }
        "prompt.label_moved" => {
            let (label, from, to) = moved();
            lang.fill("{} moved, {} to {}", &[&label, &from, &to])
        }
        "prompt.label_removed" => {
            let (label, from, _) = moved();
            lang.fill("{} taken from {}", &[&label, &from])
        }
        "prompt.test_set" => lang.fill(
            "{} under test: {}",
            &[&text(after, "label"), &shares(after)],
        ),
        "prompt.test_ended" => lang.fill(
            "Test of {} ended, {} given alone",
            &[&text(after, "label"), &text(after, "version")],
        ),
        "prompt.rollback" => {
            let (label, from, to) = moved();
            lang.fill("{} went back, {} to {}", &[&label, &from, &to])
        }
        "prompt.rollback_undo" => {
            let (label, from, to) = moved();
            lang.fill("{} went forth again, {} to {}", &[&label, &from, &to])
        }
        "prompt.rollback_policy" => lang.fill(
            "Rollback of {}: {}",
            &[&text(after, "label"), &text(after, "mode")],
        ),
        "prompt.tagged" => {
            let (before, after) = (dash(list(&before["tags"])), dash(list(&after["tags"])));
            lang.fill("Tags: {} to {}", &[&before, &after])
        }
        "prompt.deleted" => match before["all"] == Value::Bool(true) {
            true => lang.t("Deleted with all versions").to_owned(),
            false => lang.fill("Version {} deleted", &[&list(&before["versions"])]),
        },
        other => other.to_owned(),
    }
}

/// Versions of a test with their shares.
fn shares(state: &Value) -> String {
    let each = state["variants"].as_array().into_iter().flatten();
    let each = each.map(|variant| {
        let percent = variant["percent"].as_f64().unwrap_or_default();
        format!("{} {} %", variant["version"], format::trimmed(percent, 1))
    });
    each.collect::<Vec<_>>().join(", ")
}

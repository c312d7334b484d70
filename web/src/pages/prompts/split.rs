//! Labels under test: what they give, what their versions come to against each other, and how a test is set or ended.

use axum::extract::{RawPathParams, State};
use domain::axes::Requests;
use domain::prompt::split::WHOLE;
use domain::prompt::{Label, Labels, PromptName, Split, Variant};
use domain::tenancy::Permission;
use domain::{Fault, Timestamp};
use service::prompts::Head as VersionHead;
use service::{App, prompts};

use super::change::{done, label, version};
use super::head::{Standing, Tag, traces_of};
use super::labels::standing_labels;
use super::metrics::{Cell, ColumnHead, cell};
use super::named;
use super::outcomes::{Told, requests_of, told};
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::format;
use crate::i18n::text;
use crate::measure;
use crate::pages::Answer;
use crate::urls;

/// Other versions that a form has room for.
const OTHERS: usize = 4;

/// A label under test.
pub(crate) struct TestView {
    pub(crate) label: String,
    pub(crate) since: String,
    pub(crate) control: u32,
    pub(crate) may_change: bool,
    pub(crate) columns: Vec<ColumnHead>,
    pub(crate) rows: Vec<TestRow>,
    /// The store of telemetry is away.
    pub(crate) is_unmeasured: bool,
}

/// One of its versions.
pub(crate) struct TestRow {
    pub(crate) version: u32,
    pub(crate) url: String,
    pub(crate) traces_url: String,
    pub(crate) percent: String,
    pub(crate) is_control: bool,
    /// Requests since the weights were set.
    pub(crate) count: String,
    pub(crate) cells: Vec<Cell>,
}

/// A form that sets the weights of a label.
pub(crate) struct TestForm {
    pub(crate) label: String,
    pub(crate) dialog: String,
    pub(crate) control: u32,
    pub(crate) control_percent: String,
    /// Versions to choose from, in the order of the page.
    pub(crate) numbers: Vec<u32>,
    /// Other versions with their percents; 0 for none.
    pub(crate) others: Vec<(u32, String)>,
}

fn percent(weight: u32) -> String {
    format::trimmed(f64::from(weight) / 10.0, 1)
}

impl TestView {
    /// All labels of a prompt that are under test.
    pub(super) fn all(
        reader: &Reader,
        standing: &Standing,
        requests: &[Option<Requests>],
    ) -> Vec<TestView> {
        let nothing = Requests::default();
        let view = |(at, split): (usize, &Split)| {
            let measured = requests.get(at).and_then(Option::as_ref);
            TestView::new(reader, standing, split, measured.unwrap_or(&nothing))
                .unmeasured(measured.is_none())
        };
        standing.splits.iter().enumerate().map(view).collect()
    }

    fn unmeasured(mut self, is_unmeasured: bool) -> Self {
        self.is_unmeasured = is_unmeasured;
        self
    }

    fn new(reader: &Reader, standing: &Standing, split: &Split, requests: &Requests) -> Self {
        let (lang, name) = (reader.lang(), &standing.shown.name);
        let is_known = |told: &Told| {
            let mut variants = split.variants.iter();
            variants.any(|variant| told.outcome(requests, variant.version).is_some())
        };
        let measures: Vec<Told> = told(requests).into_iter().filter(is_known).collect();
        let row = |variant: &Variant| {
            let is_control = variant.version == split.control;
            let cells = measures.iter().map(|told| {
                let new = told.outcome(requests, variant.version);
                let old = match is_control {
                    true => None,
                    false => told.outcome(requests, split.control),
                };
                let against =
                    text!("{}; against the version that the label stands on {} ({} to {})");
                cell(told, (new, old), against, lang)
            });
            let number = variant.version.to_string();
            TestRow {
                version: variant.version,
                url: urls::prompt_with(reader.id(), name, &[("version", &number)]),
                traces_url: traces_of(reader, name, Some(variant.version)),
                percent: percent(variant.weight),
                is_control,
                count: format::count(requests_of(requests, variant.version) as u64),
                cells: cells.collect(),
            }
        };
        TestView {
            label: split.label.to_string(),
            since: reader.zone().minute(split.since),
            control: split.control,
            may_change: may_move(reader, standing, &split.label),
            columns: measures
                .iter()
                .map(|told| ColumnHead {
                    name: told.name(lang),
                    class: measure::class(told.axis()),
                })
                .collect(),
            rows: split.variants.iter().map(row).collect(),
            is_unmeasured: false,
        }
    }
}

fn may_move(reader: &Reader, standing: &Standing, label: &Label) -> bool {
    reader.may(Permission::ChangePrompts)
        && (!standing.protected.contains(label) || reader.may(Permission::MoveProtectedLabels))
}

impl TestForm {
    /// One for each label that the reader may move, of a prompt that has several versions.
    pub(super) fn all(reader: &Reader, standing: &Standing) -> Vec<TestForm> {
        let numbers: Vec<u32> = standing.versions.iter().map(|head| head.version).collect();
        if numbers.len() < 2 {
            return Vec::new();
        }
        let labels = standing_labels(standing).into_iter().enumerate();
        let movable = labels.filter(|(_, (label, _))| may_move(reader, standing, label));
        let form = |(at, (label, control)): (usize, (&Label, u32))| {
            let mut splits = standing.splits.iter();
            let split = splits.find(|split| split.label == *label);
            let variants = split.map_or(&[][..], |split| split.variants.as_slice());
            let others = variants.iter().filter(|variant| variant.version != control);
            let mut others: Vec<(u32, String)> = others
                .map(|variant| (variant.version, percent(variant.weight)))
                .collect();
            others.resize(OTHERS, (0, String::new()));
            let weight = split.and_then(|split| split.weight_of(control));
            TestForm {
                label: label.to_string(),
                dialog: format!("test-{at}"),
                control,
                control_percent: percent(weight.unwrap_or(WHOLE)),
                numbers: numbers
                    .iter()
                    .copied()
                    .filter(|it| *it != control)
                    .collect(),
                others,
            }
        };
        movable.map(form).collect()
    }
}

/// The labels of a version as the time line has them: of one under test with its share, also on versions that it does not
/// stand on.
pub(super) fn tags(standing: &Standing, head: &VersionHead) -> Vec<Tag> {
    let mut labels = head.labels.clone();
    let given = standing.splits.iter();
    let given = given.filter(|split| split.weight_of(head.version).is_some());
    for split in given {
        if !labels.contains(&split.label) {
            labels.push(split.label.clone());
        }
    }
    let mut tags = Tag::all(&labels, &standing.protected);
    for tag in &mut tags {
        let mut splits = standing.splits.iter();
        let split = splits.find(|split| split.label.as_str() == tag.text);
        if let Some(weight) = split.and_then(|split| split.weight_of(head.version)) {
            tag.text = format!("{} {} %", tag.text, percent(weight));
        }
    }
    tags
}

/// Sets the weights of a label (`do=set`), ends its test (`end`), or makes one version the only one (`only`).
pub(crate) async fn test_label(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let name = named(&params)?;
    let set = change(&app, &entered, (&name, &pairs)).await;
    done(&app, &entered, (&name, "labels"), set).await
}

async fn change(
    app: &App,
    entered: &InProject,
    (name, pairs): (&PromptName, &Pairs),
) -> Result<(), Fault> {
    let (scope, label) = (&entered.scope, label(pairs)?);
    match pairs.get("do") {
        Some("end") => prompts::end_split(app, scope, (name, &label)).await,
        Some("only") => {
            let labels = Labels::parse_moved("label", &[label.as_str()])?;
            let only = version(pairs, "version")?;
            let moved = prompts::add_labels(app, scope, name, only, &labels).await;
            moved.map(|_| ())
        }
        _ => prompts::set_split(app, scope, (name, &label), &variants(pairs)?).await,
    }
}

/// The version that the label stands on, which gets the rest, and the others with their percents.
fn variants(pairs: &Pairs) -> Result<Vec<Variant>, Fault> {
    let wrong = |message: &str| Fault::invalid(message.to_owned()).on_field("variants");
    let control = version(pairs, "control")?;
    let mut variants = Vec::new();
    let mut rest = WHOLE;
    for (number, share) in pairs.all("version").zip(pairs.all("percent")) {
        let (number, share) = (number.trim(), share.trim().trim_end_matches('%').trim_end());
        if number.is_empty() && share.is_empty() {
            continue;
        }
        let version = number
            .parse()
            .map_err(|_| wrong("choose a version for each share"))?;
        let share: f64 = share
            .parse()
            .map_err(|_| wrong("a share is a number of percents"))?;
        let weight = (share * 10.0).round();
        if !(1.0..f64::from(WHOLE)).contains(&weight) {
            return Err(wrong("a share is 0.1 % at least, and less than 100 %"));
        }
        let weight = weight as u32;
        rest = rest.saturating_sub(weight);
        variants.push(Variant { version, weight });
    }
    variants.insert(
        0,
        Variant {
            version: control,
            weight: rest,
        },
    );
    Ok(variants)
}

/// From when on a test is measured: since its weights were set, and within the days that are shown.
pub(super) fn measured_from(split: &Split, from: Timestamp) -> Timestamp {
    split.since.max(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_that_the_label_stands_on_gets_the_rest() {
        let read = |text: &str| variants(&Pairs::parse(text.as_bytes()));
        let found =
            read("control=3&version=4&percent=10&version=5&percent=2.5%25&version=&percent=");
        let found: Vec<(u32, u32)> = found
            .unwrap()
            .iter()
            .map(|variant| (variant.version, variant.weight))
            .collect();
        assert_eq!(found, [(3, 875), (4, 100), (5, 25)]);
        for wrong in [
            "control=3&version=4&percent=",
            "control=3&version=&percent=10",
            "control=3&version=4&percent=100",
            "control=3&version=4&percent=0",
            "version=4&percent=10",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}

//! Head, tabs and versions around every view of a prompt.

use std::collections::BTreeMap;

use domain::alert::measure::RequestMeasure;
use domain::filter::{Column, Operator};
use domain::prompt::{Label, Prompt, PromptName, Split};
use domain::tenancy::Permission;
use domain::{PersonId, Timestamp};
use service::prompts::uses::Measured;
use service::prompts::{self, Head as VersionHead};

use super::list::crumbs;
use super::query::{PromptQuery, Tab};
use crate::extract::Reader;
use crate::format;
use crate::i18n::Lang;
use crate::layout::Choice;
use crate::pages::traces::query::{ListQuery, PRESETS, Range};
use crate::urls;

/// Where a prompt stands: what every view of it shows.
pub(crate) struct Standing {
    /// The version that is shown, its references as they are written.
    pub(crate) shown: Prompt,
    /// Its versions, the newest first.
    pub(crate) versions: Vec<VersionHead>,
    /// What was measured of each; `None`: the store of telemetry is away.
    pub(crate) uses: Option<BTreeMap<String, Measured>>,
    /// E-mails of those who made them.
    pub(crate) authors: BTreeMap<PersonId, String>,
    /// Labels that not everybody moves.
    pub(crate) protected: Vec<Label>,
    /// Labels that are under test.
    pub(crate) splits: Vec<Split>,
    /// Comments on the version that is shown.
    pub(crate) comments: u64,
}

/// Head, tabs and versions.
pub(crate) struct Head {
    /// Folders above it, with where each leads.
    pub(crate) folders: Vec<(String, String)>,
    pub(crate) list_url: String,
    /// Its name within its folder.
    pub(crate) title: String,
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    /// The version that is shown.
    pub(crate) version: u32,
    pub(crate) tags: Vec<(String, String)>,
    /// Tags as a form has them.
    pub(crate) tags_text: String,
    pub(crate) tabs: Vec<TabChoice>,
    pub(crate) rail: Vec<Rail>,
    /// Labels that the reader may move, `production` at least.
    pub(crate) labels: Vec<String>,
    /// Numbers of all versions, the newest first.
    pub(crate) numbers: Vec<u32>,
    pub(crate) may_change: bool,
    pub(crate) is_unmeasured: bool,
    /// What could not be done; empty where nothing was tried.
    pub(crate) fault: String,
    pub(crate) here_url: String,
    pub(crate) new_version_url: String,
    pub(crate) playground_url: String,
    pub(crate) copy_url: String,
    pub(crate) delete_url: String,
    pub(crate) tags_url: String,
}

/// A tab with how many things it holds.
pub(crate) struct TabChoice {
    pub(crate) choice: Choice,
    pub(crate) count: String,
}

/// A version on the time line.
pub(crate) struct Rail {
    pub(crate) version: u32,
    pub(crate) url: String,
    /// The one that is shown.
    pub(crate) is_current: bool,
    /// The one that it is compared with.
    pub(crate) is_from: bool,
    pub(crate) made: String,
    pub(crate) exact: String,
    pub(crate) labels: Vec<Tag>,
    /// Why it was made, and by whom.
    pub(crate) note: String,
    /// Requests within the days.
    pub(crate) uses: String,
}

/// A label.
pub(crate) struct Tag {
    pub(crate) text: String,
    pub(crate) class: &'static str,
    pub(crate) is_protected: bool,
}

impl Head {
    /// Of a prompt in a state.
    pub(crate) fn new(
        reader: &Reader,
        standing: &Standing,
        query: &PromptQuery,
        now: Timestamp,
    ) -> Self {
        let (id, shown) = (reader.id(), &standing.shown);
        let name = &shown.name;
        let (folder, title) = match name.as_str().rsplit_once('/') {
            Some((folder, title)) => (folder, title),
            None => ("", name.as_str()),
        };
        let version = shown.version.to_string();
        let source = [("version", version.as_str())];
        let with = |param: &str| {
            let pairs = [(param, name.as_str()), source[0]];
            urls::prompt_new(id, &pairs)
        };
        let rail = standing.versions.iter();
        Head {
            folders: crumbs(reader, folder),
            list_url: urls::prompts(id),
            title: title.to_owned(),
            name: name.to_string(),
            kind: shown.content.kind().as_str(),
            version: shown.version,
            tags: shown
                .tags
                .iter()
                .map(|tag| (tag.clone(), urls::prompts_with(id, &[("tag", tag)])))
                .collect(),
            tags_text: shown.tags.join(", "),
            tabs: tabs(reader, standing, query),
            rail: rail
                .map(|head| Rail::new(reader, (standing, query), head, now))
                .collect(),
            labels: movable(reader, standing),
            numbers: standing.versions.iter().map(|head| head.version).collect(),
            may_change: reader.may(Permission::ChangePrompts),
            is_unmeasured: standing.uses.is_none(),
            fault: String::new(),
            here_url: urls::prompt(id, name),
            new_version_url: with("from"),
            playground_url: urls::playground_prompt(id, name, shown.version),
            copy_url: with("copy"),
            delete_url: urls::prompt_do(id, "delete", name),
            tags_url: urls::prompt_do(id, "tags", name),
        }
    }

    /// With what could not be done.
    #[must_use]
    pub(crate) fn with_fault(mut self, fault: &str) -> Self {
        fault.clone_into(&mut self.fault);
        self
    }
}

/// Labels that stand somewhere, and `production`, that the reader may move.
fn movable(reader: &Reader, standing: &Standing) -> Vec<String> {
    let may_all = reader.may(Permission::MoveProtectedLabels);
    let mut labels = vec![Label::production()];
    let standing_labels = standing.versions.iter().flat_map(|head| &head.labels);
    for label in standing_labels {
        if !label.is_latest() && !labels.contains(label) {
            labels.push(label.clone());
        }
    }
    labels.retain(|label| may_all || !standing.protected.contains(label));
    labels.iter().map(ToString::to_string).collect()
}

fn tabs(reader: &Reader, standing: &Standing, query: &PromptQuery) -> Vec<TabChoice> {
    let (lang, name) = (reader.lang(), &standing.shown.name);
    let tab = |(tab, _, words): (Tab, &str, &'static str)| TabChoice {
        choice: Choice {
            label: lang.t(words).to_owned(),
            url: query
                .changed(|query| {
                    query.tab = tab;
                    if tab != Tab::Compare {
                        (query.from, query.to) = (None, None);
                    }
                })
                .url(reader, name),
            current: tab == query.tab,
        },
        count: match tab {
            Tab::Comments if standing.comments > 0 => format::count(standing.comments),
            _ => String::new(),
        },
    };
    let mut tabs: Vec<TabChoice> = Tab::ALL.into_iter().map(tab).collect();
    let uses = standing.uses.as_ref().map(|uses| {
        let all = uses
            .values()
            .filter_map(|it| it.get(&RequestMeasure::Requests));
        all.map(|cell| cell.known).sum::<u64>()
    });
    tabs.push(TabChoice {
        choice: Choice {
            label: lang.t("Traces").to_owned(),
            url: traces_of(reader, name, None),
            current: false,
        },
        count: uses
            .map(|uses| format::tokens(Some(uses)).text)
            .unwrap_or_default(),
    });
    tabs
}

/// The traces of a prompt, or of one of its versions, of seven days.
pub(super) fn traces_of(reader: &Reader, name: &PromptName, version: Option<u32>) -> String {
    let mut conditions = vec![(Column::Prompt, Operator::AnyOf, name.to_string())];
    conditions.extend(version.map(|it| (Column::PromptVersion, Operator::AnyOf, it.to_string())));
    let week = PRESETS.into_iter().find(|preset| preset.name == "7d");
    let query = ListQuery {
        range: week.map_or(ListQuery::default().range, Range::Last),
        conditions,
        ..ListQuery::default()
    };
    urls::traces(reader.id(), &query)
}

/// Of what is older than that, rows tell the day alone. Seconds.
const LONG_AGO: i64 = 300 * 86_400;

/// A time as short as rows have it: `30 Nov 12:18`; the exact one is told beside it.
pub(super) fn when(reader: &Reader, at: Timestamp, now: Timestamp) -> String {
    let zone = reader.zone();
    if now.unix_seconds() - at.unix_seconds() > LONG_AGO {
        return zone.date(at);
    }
    format!("{} {}", zone.tick(at, true), zone.tick(at, false))
}

/// Who made something, as pages tell it.
pub(crate) fn author(authors: &BTreeMap<PersonId, String>, by: &str, lang: Lang) -> String {
    if let Some(email) = prompts::person(by).and_then(|id| authors.get(&id)) {
        let (who, _) = email.split_once('@').unwrap_or((email, ""));
        return who.to_owned();
    }
    match by {
        "API" => "API".to_owned(),
        "server" => lang.t("by itself").to_owned(),
        by if by.starts_with("key:") => lang.t("an API key").to_owned(),
        by if prompts::person(by).is_some() => lang.t("somebody who left").to_owned(),
        by => by.to_owned(),
    }
}

impl Tag {
    /// Labels, `production` before the others.
    pub(super) fn all(labels: &[Label], protected: &[Label]) -> Vec<Tag> {
        let mut labels: Vec<&Label> = labels.iter().collect();
        labels.sort_by_key(|label| label.as_str() != Label::PRODUCTION);
        let tag = |label: &Label| Tag {
            text: label.to_string(),
            class: match label.as_str() {
                Label::PRODUCTION => "tag-live",
                _ => "tag-label",
            },
            is_protected: protected.contains(label),
        };
        labels.into_iter().map(tag).collect()
    }
}

impl Rail {
    fn new(
        reader: &Reader,
        (standing, query): (&Standing, &PromptQuery),
        head: &VersionHead,
        now: Timestamp,
    ) -> Self {
        let name = &standing.shown.name;
        let is_compare = query.tab == Tab::Compare;
        let next = query.changed(|query| match is_compare {
            true => query.to = Some(head.version),
            false => {
                query.selector = Some(domain::prompt::Selector::Version(head.version));
            }
        });
        let by = author(&standing.authors, &head.created_by, reader.lang());
        let note = match &head.commit_message {
            Some(message) => format!("{message}, {by}"),
            None => by,
        };
        let (from, to) = pair(standing, query);
        let uses = standing.uses.as_ref().map(|uses| {
            let cell = uses
                .get(&head.version.to_string())
                .and_then(|it| it.get(&RequestMeasure::Requests));
            cell.map_or(0, |cell| cell.known)
        });
        Rail {
            version: head.version,
            url: next.url(reader, name),
            is_current: match is_compare {
                true => head.version == to,
                false => head.version == standing.shown.version,
            },
            is_from: is_compare && head.version == from,
            made: when(reader, head.created_at, now),
            exact: reader.zone().exact(head.created_at),
            labels: super::split::tags(standing, head),
            note,
            uses: match uses {
                Some(uses) if uses > 0 => format::tokens(Some(uses)).text,
                _ => String::new(),
            },
        }
    }
}

/// The versions that are compared: those that the address names, else the one that is shown with the one before it.
pub(super) fn pair(standing: &Standing, query: &PromptQuery) -> (u32, u32) {
    let to = query.to.unwrap_or(standing.shown.version);
    let numbers = || standing.versions.iter().map(|head| head.version);
    let before = numbers().filter(|number| *number < to).max();
    (query.from.or(before).unwrap_or(to), to)
}

//! The frame around every page: head, navigation, bar.

/// Choice of a time range.
mod range_control;

pub(crate) use range_control::RangeControl;

use domain::ProjectId;
use domain::tenancy::{Permission, Role};
use service::{incidents, mentions};

use crate::assets::STYLE_SHEETS;
use crate::choices::{Choices, Theme};
use crate::extract::Reader;
use crate::i18n::Lang;
use crate::pages::settings;
use crate::pages::traces::query::{ListQuery, Range};
use crate::shortcuts::{GROUPS, Group};
use crate::urls;

/// What every page needs, with or without a project.
#[derive(Clone, Debug)]
pub(crate) struct Shell {
    /// Language of all texts.
    pub(crate) lang: Lang,
    /// Light or dark.
    pub(crate) theme: Theme,
    /// Token for forms; empty where nobody has signed in.
    pub(crate) csrf: String,
    /// Path and query, to come back to.
    pub(crate) here: String,
}

impl Shell {
    /// For a page without a project.
    pub(crate) fn new(choices: &Choices, csrf: &str, here: &str) -> Self {
        Shell {
            lang: choices.lang,
            theme: choices.theme,
            csrf: csrf.to_owned(),
            here: here.to_owned(),
        }
    }

    /// A text in the reader's language.
    pub(crate) fn t(&self, text: &'static str) -> &'static str {
        self.lang.t(text)
    }

    /// Address of an asset.
    pub(crate) fn asset(&self, path: &str) -> String {
        urls::asset(path)
    }

    /// Every key that does something.
    pub(crate) fn shortcuts(&self) -> &'static [Group] {
        &GROUPS
    }

    /// Addresses of the style sheets.
    pub(crate) fn style_sheets(&self) -> Vec<String> {
        let sheets = STYLE_SHEETS.iter();
        sheets.copied().map(urls::asset).collect()
    }

    /// Where the theme switch leads.
    pub(crate) fn theme_url(&self) -> String {
        urls::preference("theme", self.theme.next().name(), &self.here)
    }

    /// Words of the theme switch.
    pub(crate) fn theme_label(&self) -> &'static str {
        match self.theme {
            Theme::System => self.t("Theme: system"),
            Theme::Light => self.t("Theme: light"),
            Theme::Dark => self.t("Theme: dark"),
        }
    }

    /// The languages, to choose one.
    pub(crate) fn languages(&self) -> Vec<Choice> {
        Lang::ALL
            .into_iter()
            .map(|lang| Choice {
                label: lang.name().to_owned(),
                url: urls::preference("lang", lang.tag(), &self.here),
                current: lang == self.lang,
            })
            .collect()
    }
}

/// An entry of a menu.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Words.
    pub(crate) label: String,
    /// Where it leads.
    pub(crate) url: String,
    /// Whether it is the one in force.
    pub(crate) current: bool,
}

/// A part of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// The four rows.
    Overview,
    /// Traces.
    Traces,
    /// Sessions.
    Sessions,
    /// Users.
    Users,
    /// Costs, and what caches save.
    Costs,
    /// The three axes on one clock.
    Correlation,
    /// Prompts and their versions.
    Prompts,
    /// Messages against models.
    Playground,
    /// Datasets and runs over them.
    Datasets,
    /// Widgets over the numbers of a project.
    Dashboards,
    /// What scores spans by itself.
    Evaluators,
    /// Queues of things to be judged.
    Annotation,
    /// Goodput and GPUs.
    Serving,
    /// What came of alert rules.
    Incidents,
    /// What went wrong, and what that does to the business.
    Impact,
    /// Alert rules, channels, what is usual.
    Alerts,
    /// Settings.
    Settings,
    /// One's own account.
    Account,
}

/// Navigation and bar of a page in a project.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// Part of the product that the page belongs to.
    pub(crate) section: Section,
    /// Whether the navigation is narrow because the page needs the width.
    pub(crate) rail: bool,
    /// Name of the organisation.
    pub(crate) organisation: String,
    /// Name of the project.
    pub(crate) project: String,
    /// Projects to go to.
    pub(crate) projects: Vec<Choice>,
    /// Who is signed in.
    pub(crate) email: String,
    /// Whether lists, numbers and settings may be seen.
    pub(crate) reads: bool,
    /// Whether queues of things to be judged may be seen.
    pub(crate) reads_queues: bool,
    /// Where the reader begins.
    pub(crate) home_url: String,
    /// The four rows.
    pub(crate) overview_url: String,
    /// The list of traces.
    pub(crate) traces_url: String,
    /// Sessions.
    pub(crate) sessions_url: String,
    /// Users.
    pub(crate) users_url: String,
    /// Costs.
    pub(crate) costs_url: String,
    /// The three axes on one clock.
    pub(crate) correlation_url: String,
    /// Prompts.
    pub(crate) prompts_url: String,
    /// Messages against models.
    pub(crate) playground_url: String,
    /// Datasets.
    pub(crate) datasets_url: String,
    /// What scores spans by itself.
    pub(crate) evaluators_url: String,
    /// Queues of things to be judged.
    pub(crate) queues_url: String,
    /// Goodput and GPUs.
    pub(crate) serving_url: String,
    /// Incidents.
    pub(crate) incidents_url: String,
    /// How many of them go on; empty when none does.
    pub(crate) open_incidents: String,
    /// How many comments name the reader and wait for them; empty when none does.
    pub(crate) unread_mentions: String,
    /// Comments that name the reader.
    pub(crate) mentions_url: String,
    /// Whether what arrives is not shown yet, because the store takes nothing.
    pub(crate) is_behind: bool,
    /// What that does to the business.
    pub(crate) impact_url: String,
    /// Alert rules.
    pub(crate) alerts_url: String,
    /// Dashboards.
    pub(crate) dashboards_url: String,
    /// The first page of settings that may be seen; empty where none may.
    pub(crate) settings_url: String,
    /// One's own account.
    pub(crate) account_url: String,
    /// Pages beside those of the navigation, for the palette.
    pub(crate) commands: Vec<Choice>,
    /// Target of the search box.
    pub(crate) search_url: String,
    /// Switch for live updates, where the page has them.
    pub(crate) live: Option<Live>,
    /// Choice of a time range, where the page has one.
    pub(crate) range: Option<RangeControl>,
}

/// Switch for live updates.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    /// Whether new rows appear by themselves.
    pub(crate) on: bool,
    /// Where the switch leads.
    pub(crate) toggle_url: String,
}

/// Where somebody of that role begins.
pub(crate) fn first_page(project: ProjectId, role: Role) -> String {
    if role.may(Permission::Read) {
        urls::overview_home(project)
    } else if role.may(Permission::ReadQueues) {
        urls::queues(project)
    } else if role.may(Permission::ReadAuditLog) {
        urls::audit_log(project)
    } else {
        urls::account(project)
    }
}

/// How many, where counting stops at `most`; empty for none.
fn counted(count: u64, most: u32) -> String {
    match count {
        0 => String::new(),
        many if many >= u64::from(most) => format!("{}+", most - 1),
        few => few.to_string(),
    }
}

impl Frame {
    /// For a page of a project.
    pub(crate) fn new(reader: &Reader, section: Section) -> Self {
        let id = reader.id();
        let projects = reader
            .memberships
            .iter()
            .map(|membership| Choice {
                label: membership.project.name.clone(),
                url: first_page(membership.project.id, membership.role),
                current: membership.project.id == id,
            })
            .collect();
        let commands = settings::tabs(reader, usize::MAX);
        Frame {
            section,
            rail: false,
            organisation: reader.project.organisation.name.clone(),
            project: reader.project.name.clone(),
            projects,
            email: reader.visitor.person.email.clone(),
            reads: reader.may(Permission::Read),
            reads_queues: reader.may(Permission::ReadQueues),
            home_url: first_page(id, reader.role),
            overview_url: urls::overview_home(id),
            traces_url: urls::traces_home(id),
            sessions_url: urls::sessions_home(id),
            users_url: urls::users_home(id),
            costs_url: urls::costs_home(id),
            correlation_url: urls::correlation_home(id),
            prompts_url: urls::prompts(id),
            playground_url: urls::playground(id),
            datasets_url: urls::datasets(id),
            evaluators_url: urls::evaluators(id),
            queues_url: urls::queues(id),
            serving_url: urls::serving_home(id),
            incidents_url: urls::incidents(id),
            open_incidents: counted(reader.open_incidents, incidents::MOST_COUNTED),
            unread_mentions: counted(reader.unread_mentions, mentions::MOST_COUNTED),
            mentions_url: urls::mentions(id),
            is_behind: reader.is_behind,
            impact_url: urls::impact_home(id),
            alerts_url: urls::alerts(id),
            dashboards_url: urls::dashboards(id),
            settings_url: commands
                .first()
                .map_or_else(String::new, |tab| tab.url.clone()),
            account_url: urls::account(id),
            commands,
            search_url: urls::search(id),
            live: None,
            range: None,
        }
    }

    /// The shell of the same page.
    pub(crate) fn shell(reader: &Reader) -> Shell {
        let visitor = &reader.visitor;
        Shell::new(&visitor.choices, &visitor.csrf, &visitor.here)
    }

    /// Whether the page is the overview.
    pub(crate) fn in_overview(&self) -> bool {
        self.section == Section::Overview
    }

    /// Whether the page belongs to dashboards.
    pub(crate) fn in_dashboards(&self) -> bool {
        self.section == Section::Dashboards
    }

    /// Whether the page belongs to traces.
    pub(crate) fn in_traces(&self) -> bool {
        self.section == Section::Traces
    }

    /// Whether the page belongs to sessions.
    pub(crate) fn in_sessions(&self) -> bool {
        self.section == Section::Sessions
    }

    /// Whether the page belongs to users.
    pub(crate) fn in_users(&self) -> bool {
        self.section == Section::Users
    }

    /// Whether the page is about costs.
    pub(crate) fn in_costs(&self) -> bool {
        self.section == Section::Costs
    }

    /// Whether the page belongs to the axes.
    pub(crate) fn in_correlation(&self) -> bool {
        self.section == Section::Correlation
    }

    /// Whether the page belongs to prompts.
    pub(crate) fn in_prompts(&self) -> bool {
        self.section == Section::Prompts
    }

    /// Whether the page is the playground.
    pub(crate) fn in_playground(&self) -> bool {
        self.section == Section::Playground
    }

    /// Whether the page belongs to evaluators.
    pub(crate) fn in_evaluators(&self) -> bool {
        self.section == Section::Evaluators
    }

    /// Whether the page belongs to datasets.
    pub(crate) fn in_datasets(&self) -> bool {
        self.section == Section::Datasets
    }

    /// Whether the page belongs to annotation.
    pub(crate) fn in_annotation(&self) -> bool {
        self.section == Section::Annotation
    }

    /// Whether the page is about serving.
    pub(crate) fn in_serving(&self) -> bool {
        self.section == Section::Serving
    }

    /// Whether the page belongs to incidents.
    pub(crate) fn in_incidents(&self) -> bool {
        self.section == Section::Incidents
    }

    /// Whether the page is about the business.
    pub(crate) fn in_impact(&self) -> bool {
        self.section == Section::Impact
    }

    /// Whether the page belongs to alerts.
    pub(crate) fn in_alerts(&self) -> bool {
        self.section == Section::Alerts
    }

    /// Whether the page is one's own account.
    pub(crate) fn in_account(&self) -> bool {
        self.section == Section::Account
    }

    /// Whether the page belongs to settings.
    pub(crate) fn in_settings(&self) -> bool {
        self.section == Section::Settings
    }
}

impl Live {
    /// For the list of traces; only a range that ends now can be live.
    pub(crate) fn new(project: ProjectId, query: &ListQuery) -> Self {
        let can = matches!(query.range, Range::Last(_)) && query.cursor.is_none();
        let toggled = query.changed(|query| {
            query.live = !(can && query.live);
            if let Range::Between(..) = query.range {
                query.range = ListQuery::default().range;
            }
        });
        Live {
            on: can && query.live,
            toggle_url: urls::traces(project, &toggled),
        }
    }
}

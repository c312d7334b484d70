//! How requests find the instance that served them, and instances their GPUs.

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use domain::axes::Topology;
use domain::axes::topology::{GpuRule, InstanceRule, Teller};
use domain::filter::Filter;
use domain::tenancy::Permission;
use domain::{Code, Fault, Timestamp};
use http::StatusCode;
use service::topology::Held;
use service::{App, axes, topology};

use super::tabs;
use crate::extract::{InProject, Posted, Reader};
use crate::form::Field;
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// The page.
#[derive(Template)]
#[template(path = "settings/topology.html")]
pub(crate) struct TopologyPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_set: bool,
    pub(crate) fault: String,
    /// Whether the rules are those that come with the product.
    pub(crate) is_default: bool,
    /// When the project set its own.
    pub(crate) set_at: String,
    pub(crate) found: Found,
    pub(crate) instances: Vec<InstanceRow>,
    pub(crate) gpus: Vec<GpuRow>,
    pub(crate) json: Field,
    pub(crate) action: String,
}

/// What came of the rules within the last hour.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) requests: String,
    pub(crate) instance: String,
    pub(crate) instance_share: String,
    pub(crate) gpu: String,
    pub(crate) gpu_share: String,
    /// Requests by the rule that found their instance, the most frequent first.
    pub(crate) by_rule: Vec<(String, String)>,
    pub(crate) is_sample: bool,
    pub(crate) is_empty: bool,
}

/// A rule from requests to instances.
pub(crate) struct InstanceRow {
    pub(crate) name: String,
    pub(crate) from: &'static str,
    pub(crate) keys: String,
    pub(crate) labels: String,
    pub(crate) same_model: bool,
}

/// A rule from instances to GPUs.
pub(crate) struct GpuRow {
    pub(crate) name: String,
    pub(crate) instance_labels: String,
    pub(crate) gpu_labels: String,
    pub(crate) same_host: bool,
}

impl TopologyPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, held: &Held, found: Found) -> Self {
        let lang = reader.lang();
        let json = serde_json::to_string_pretty(&serde_json::json!({
            "instances": held.topology.instances,
            "gpus": held.topology.gpus,
        }));
        let at = |at: Timestamp| reader.zone().minute(at);
        let rules = &held.topology;
        TopologyPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, 6),
            may_set: reader.may(Permission::SetExpectations),
            fault: String::new(),
            is_default: held.updated_at.is_none(),
            set_at: held.updated_at.map_or_else(String::new, at),
            found,
            instances: rules
                .instances
                .iter()
                .map(|rule| InstanceRow::new(rule, lang))
                .collect(),
            gpus: rules.gpus.iter().map(GpuRow::from).collect(),
            json: Field::holding(&json.unwrap_or_default()),
            action: urls::topology(reader.id()),
        }
    }
}

impl InstanceRow {
    fn new(rule: &InstanceRule, lang: Lang) -> Self {
        InstanceRow {
            name: rule.name.clone(),
            from: match rule.from {
                Teller::Request => lang.t("request"),
                Teller::Server => lang.t("engine or server"),
            },
            keys: rule.keys.join(", "),
            labels: rule.labels.join(", "),
            same_model: rule.same_model,
        }
    }
}

impl From<&GpuRule> for GpuRow {
    fn from(rule: &GpuRule) -> Self {
        GpuRow {
            name: rule.name.clone(),
            instance_labels: rule.instance_labels.join(", "),
            gpu_labels: rule.gpu_labels.join(", "),
            same_host: rule.same_host,
        }
    }
}

impl From<&axes::Joined> for Found {
    fn from(joined: &axes::Joined) -> Self {
        let (requests, fleet) = (&joined.requests, &joined.state.fleet);
        let all = requests.len() as u64;
        let with = requests.instances.iter().flatten();
        let with_gpu = with.clone().filter(|at| {
            let gpus = fleet.gpus_of.get(**at);
            gpus.is_some_and(|gpus| !gpus.is_empty())
        });
        let (instance, gpu) = (with.clone().count() as u64, with_gpu.count() as u64);
        let mut by_rule = std::collections::BTreeMap::<&str, u64>::new();
        for rule in requests.found_by.iter().flatten() {
            *by_rule.entry(rule).or_default() += 1;
        }
        let mut by_rule: Vec<(&str, u64)> = by_rule.into_iter().collect();
        by_rule.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Found {
            requests: format::count(all),
            instance: format::count(instance),
            instance_share: format::percent(instance, all),
            gpu: format::count(gpu),
            gpu_share: format::percent(gpu, all),
            by_rule: by_rule
                .into_iter()
                .map(|(rule, count)| (rule.to_owned(), format::count(count)))
                .collect(),
            is_sample: requests.is_sample,
            is_empty: all == 0,
        }
    }
}

async fn page(app: &App, entered: &InProject) -> Result<TopologyPage, Fault> {
    let held = topology::show(app, &entered.scope).await?;
    // The last hour, unless told otherwise.
    let joined = axes::requests(app, &entered.scope, &Filter::default()).await?;
    Ok(TopologyPage::new(
        &entered.reader,
        &held,
        Found::from(&joined),
    ))
}

/// Shows them.
pub(crate) async fn show_topology(State(app): State<App>, entered: InProject) -> Answer {
    Ok(render(&page(&app, &entered).await?))
}

/// Sets them, or brings the usual ones back.
pub(crate) async fn set_topology(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let text = pairs.get("rules").unwrap_or_default();
    let rules = match pairs.get("do") {
        Some("reset") => Ok(None),
        _ => Topology::parse(text).map(Some),
    };
    let set = match rules {
        Ok(rules) => topology::set(&app, &entered.scope, rules).await,
        Err(fault) => {
            // Whoever may not set them is told that first.
            entered.scope.require(Permission::SetExpectations)?;
            Err(fault)
        }
    };
    let Err(fault) = set else {
        return Ok(see_other(&urls::topology(entered.id())));
    };
    if !matches!(fault.code, Code::Invalid | Code::Conflict) {
        return Err(fault.into());
    }
    let mut page = page(&app, &entered).await?;
    page.json = Field {
        value: text.to_owned(),
        error: fault.message,
    };
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

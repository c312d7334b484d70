//! Labels, tags, policies, comments, deletion: each a form that leads back to the view that it came from.

use axum::extract::{RawPathParams, State};
use domain::comment::{CommentDraft, CommentedKind};
use domain::prompt::{Label, Labels, PromptName, Selector, Tags};
use domain::rollback::{Limits, Mode, Policy};
use domain::{Fault, PersonId};
use serde_json::{Map, Number, Value};
use service::prompts::{self, References};
use service::rollback::{self, Request};
use service::{App, comments};

use super::named;
use super::show::again;
use crate::extract::{InProject, Pairs, Posted};
use crate::pages::{Answer, see_other};
use crate::urls;

/// Fields of limits, as [`Limits`] names them.
const LIMITS: [&str; 7] = [
    "min_requests",
    "input_tokens_ratio",
    "output_tokens_ratio",
    "latency_ratio",
    "format_valid_drop",
    "refused_rise",
    "cooldown_s",
];

/// Leads back to a view, or shows it with what could not be done.
pub(super) async fn done(
    app: &App,
    entered: &InProject,
    (name, tab): (&PromptName, &str),
    result: Result<(), Fault>,
) -> Answer {
    match result {
        Ok(()) => {
            let url = urls::prompt_with(entered.id(), name, &[("tab", tab)]);
            Ok(see_other(&url))
        }
        Err(fault) => again(app, entered, (name, tab), fault).await,
    }
}

pub(super) fn label(pairs: &Pairs) -> Result<Label, Fault> {
    Label::parse(pairs.filled("label").unwrap_or_default())
}

pub(super) fn version(pairs: &Pairs, field: &str) -> Result<u32, Fault> {
    let number = pairs.filled(field).and_then(|text| text.parse().ok());
    number.ok_or_else(|| Fault::invalid("a version is a number from 1").on_field(field))
}

/// Moves a label: back by the safety net, which writes down what it said; forth as it is asked for.
pub(crate) async fn move_label(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let name = named(&params)?;
    let moved = moved(&app, &entered, (&name, &pairs)).await;
    done(&app, &entered, (&name, "labels"), moved).await
}

async fn moved(
    app: &App,
    entered: &InProject,
    (name, pairs): (&PromptName, &Pairs),
) -> Result<(), Fault> {
    let (label, to) = (label(pairs)?, version(pairs, "to")?);
    let from = match pairs.filled("from") {
        Some(_) => Some(version(pairs, "from")?),
        None => None,
    };
    if from.is_some_and(|from| to < from) {
        let request = Request {
            to_version: to,
            label: Some(label),
            from_version: from,
            dry_run: false,
            force: pairs.get("force") == Some("1"),
        };
        let answer = rollback::roll_back(app, &entered.scope, name, &request).await?;
        return match answer.applied {
            true => Ok(()),
            false => Err(Fault::invalid("a check does not hold: the label stays")),
        };
    }
    let labels = Labels::parse_moved("label", &[label.as_str()])?;
    let added = prompts::add_labels(app, &entered.scope, name, to, &labels).await;
    added.map(|_| ())
}

/// Takes a label away.
pub(crate) async fn remove_label(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let name = named(&params)?;
    let removed = match label(&pairs) {
        Ok(label) => prompts::remove_label(&app, &entered.scope, &name, &label).await,
        Err(fault) => Err(fault),
    };
    done(&app, &entered, (&name, "labels"), removed).await
}

/// Undoes a move back.
pub(crate) async fn undo_move(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let name = named(&params)?;
    let undone = match pairs.filled("id").map(str::parse).transpose() {
        Ok(id) => rollback::undo(&app, &entered.scope, &name, id).await,
        Err(_) => Err(Fault::invalid("there is no such move")),
    };
    done(&app, &entered, (&name, "labels"), undone.map(|_| ())).await
}

/// Sets what becomes of a label when a version is to blame.
pub(crate) async fn set_policy(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let name = named(&params)?;
    let set = match policy(&pairs) {
        Ok(policy) => rollback::set_policy(&app, &entered.scope, &name, policy).await,
        Err(fault) => Err(fault),
    };
    done(&app, &entered, (&name, "labels"), set.map(|_| ())).await
}

fn policy(pairs: &Pairs) -> Result<Policy, Fault> {
    let mode = pairs.get("mode").and_then(Mode::from_name);
    let mut fields = Map::new();
    for field in LIMITS {
        let Some(text) = pairs.filled(field) else {
            continue;
        };
        let whole = text.parse::<u64>().ok().map(Number::from);
        let number = whole.or_else(|| text.parse().ok().and_then(Number::from_f64));
        let number = number
            .ok_or_else(|| Fault::invalid(format!("{field}: give a number")).on_field(field))?;
        fields.insert(field.to_owned(), Value::Number(number));
    }
    Ok(Policy {
        mode: mode.ok_or_else(|| Fault::invalid("mode: give off, suggest or auto"))?,
        label: label(pairs)?,
        limits: Limits::parse(&fields)?,
    })
}

/// Sets tags, separated by commas.
pub(crate) async fn set_tags(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let name = named(&params)?;
    let set = match Tags::parse(listed(pairs.get("tags").unwrap_or_default())) {
        Ok(tags) => prompts::set_tags(&app, &entered.scope, &name, &tags).await,
        Err(fault) => Err(fault),
    };
    done(&app, &entered, (&name, "content"), set).await
}

/// What is separated by commas.
pub(super) fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// Remarks on a version.
pub(crate) async fn create_comment(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let name = named(&params)?;
    let person = entered.reader.visitor.person.id;
    let written = comment(&app, &entered, (&name, &pairs), person).await;
    match written {
        Ok(version) => {
            let version = version.to_string();
            let pairs = [("tab", "comments"), ("version", version.as_str())];
            Ok(see_other(&urls::prompt_with(entered.id(), &name, &pairs)))
        }
        Err(fault) => again(&app, &entered, (&name, "comments"), fault).await,
    }
}

async fn comment(
    app: &App,
    entered: &InProject,
    (name, pairs): (&PromptName, &Pairs),
    person: PersonId,
) -> Result<u32, Fault> {
    let version = version(pairs, "version")?;
    let selector = Selector::Version(version);
    let shown = prompts::show(app, &entered.scope, name, &selector, References::Keep).await?;
    let text = pairs.get("content").unwrap_or_default().trim();
    let draft = CommentDraft {
        kind: CommentedKind::Prompt,
        object_id: shown.prompt.id.to_string(),
        content: text.replace("\r\n", "\n"),
        author: Some(person),
    };
    comments::create(app, &entered.scope, draft).await?;
    Ok(version)
}

/// Deletes a version, or the prompt, once its number or name was typed.
pub(crate) async fn delete_prompt(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let name = named(&params)?;
    let number = pairs.filled("version");
    let typed = pairs.get("confirm").unwrap_or_default().trim();
    let deleted = match typed == number.unwrap_or(name.as_str()).trim() {
        false => Err(Fault::invalid(
            "nothing was deleted: what was typed is not what would go",
        )),
        true => match number.map(|_| version(&pairs, "version")).transpose() {
            Ok(version) => {
                let selector = version.map(Selector::Version);
                prompts::delete(&app, &entered.scope, &name, selector.as_ref()).await
            }
            Err(fault) => Err(fault),
        },
    };
    let fault = match deleted {
        Ok(()) => {
            let rest = prompts::heads(&app, &entered.scope, &name).await;
            return Ok(see_other(&match rest {
                Ok(_) => urls::prompt(entered.id(), &name),
                Err(_) => urls::prompts(entered.id()),
            }));
        }
        Err(fault) => fault,
    };
    again(&app, &entered, (&name, "content"), fault).await
}

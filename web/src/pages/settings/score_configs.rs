//! What scores may be: configurations, made and archived. They are never deleted: scores that follow one stay.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::score::{Category, DataType, Scale, ScoreConfig, ScoreConfigDraft};
use domain::tenancy::Permission;
use domain::{Code, Fault, ScoreConfigId};
use http::StatusCode;
use service::App;
use service::score_configs::{self, ScoreConfigChange};

use super::tabs;
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::{Field, other_fault};
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

/// Configurations that are shown.
const MOST: u32 = 1_000;
/// Fields of the form, as faults name them.
const FIELDS: &[&str] = &["name", "description", "categories", "minValue", "maxValue"];

/// The page.
#[derive(Template)]
#[template(path = "settings/score_configs.html")]
pub(crate) struct ScoreConfigsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_set: bool,
    pub(crate) fault: String,
    pub(crate) rows: Vec<ConfigRow>,
    pub(crate) form: ConfigForm,
    pub(crate) action: String,
}

/// A configuration.
pub(crate) struct ConfigRow {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) kind: &'static str,
    pub(crate) values: String,
    pub(crate) is_archived: bool,
    pub(crate) archive_url: String,
}

/// The form as it is filled in.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConfigForm {
    pub(crate) name: Field,
    pub(crate) description: Field,
    pub(crate) kind: DataType,
    pub(crate) min: Field,
    pub(crate) max: Field,
    pub(crate) categories: Field,
}

impl ConfigForm {
    /// Kinds to choose from.
    pub(crate) fn kinds(&self, lang: &Lang) -> Vec<(&'static str, &'static str, bool)> {
        let kinds = [
            DataType::Categorical,
            DataType::Numeric,
            DataType::Boolean,
            DataType::Text,
        ];
        let option = |one: DataType| (one.as_str(), kind(one, *lang), one == self.kind);
        kinds.into_iter().map(option).collect()
    }

    fn posted(pairs: &Pairs) -> Self {
        let field = |name| Field::holding(pairs.get(name).unwrap_or_default().trim());
        let kind = pairs.get("kind").and_then(DataType::from_name);
        ConfigForm {
            name: field("name"),
            description: field("description"),
            kind: kind.unwrap_or(DataType::Categorical),
            min: field("min"),
            max: field("max"),
            categories: field("categories"),
        }
    }

    fn draft(&self) -> Result<ScoreConfigDraft, Fault> {
        let number = |field: &Field, name: &str| match field.value.as_str() {
            "" => Ok(None),
            text => {
                let number: Option<f64> =
                    text.parse().ok().filter(|number: &f64| number.is_finite());
                let wrong = || Fault::invalid("must be a number").on_field(name);
                number.map(Some).ok_or_else(wrong)
            }
        };
        let description = &self.description.value;
        Ok(ScoreConfigDraft {
            name: self.name.value.clone(),
            scale: match self.kind {
                DataType::Numeric => Scale::Numeric {
                    min: number(&self.min, "minValue")?,
                    max: number(&self.max, "maxValue")?,
                },
                DataType::Boolean => Scale::Boolean,
                DataType::Text | DataType::Correction => Scale::Text,
                DataType::Categorical => Scale::Categorical(categories(&self.categories.value)?),
            },
            description: (!description.is_empty()).then(|| description.clone()),
            is_archived: false,
        })
    }

    fn with_fault(mut self, fault: &Fault) -> Self {
        self.name = self.name.with_fault("name", fault);
        self.description = self.description.with_fault("description", fault);
        self.min = self.min.with_fault("minValue", fault);
        self.max = self.max.with_fault("maxValue", fault);
        self.categories = self.categories.with_fault("categories", fault);
        self
    }
}

/// A line each: a label, and its number after `=`; without one it is the number of the line, from 0.
fn categories(text: &str) -> Result<Vec<Category>, Fault> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .zip(0u32..)
        .map(|(line, at)| match line.rsplit_once('=') {
            None => Ok(Category {
                label: line.to_owned(),
                value: f64::from(at),
            }),
            Some((label, number)) => {
                let number: Option<f64> = number.trim().parse().ok();
                let number = number.filter(|number| number.is_finite());
                let wrong = || Fault::invalid(format!("{line}: no number")).on_field("categories");
                Ok(Category {
                    label: label.trim().to_owned(),
                    value: number.ok_or_else(wrong)?,
                })
            }
        })
        .collect()
}

/// A type in words.
pub(crate) fn kind(kind: DataType, lang: Lang) -> &'static str {
    match kind {
        DataType::Categorical => lang.t("One of some labels"),
        DataType::Numeric => lang.t("A number"),
        DataType::Boolean => lang.t("Yes or no"),
        DataType::Text | DataType::Correction => lang.t("Free words"),
    }
}

fn values(scale: &Scale) -> String {
    match scale {
        Scale::Numeric { min, max } => {
            let bound = |bound: &Option<f64>| {
                bound.map_or_else(String::new, |bound| format::trimmed(bound, 4))
            };
            match (min, max) {
                (None, None) => String::new(),
                _ => format!("{} – {}", bound(min), bound(max)),
            }
        }
        Scale::Categorical(categories) => {
            let labels = categories.iter().map(|category| {
                format!(
                    "{} = {}",
                    category.label,
                    format::trimmed(category.value, 4)
                )
            });
            labels.collect::<Vec<_>>().join(" · ")
        }
        Scale::Boolean | Scale::Text => String::new(),
    }
}

impl ScoreConfigsPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, configs: &[ScoreConfig]) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let row = |config: &ScoreConfig| ConfigRow {
            name: config.draft.name.clone(),
            description: config.draft.description.clone().unwrap_or_default(),
            kind: kind(config.draft.scale.data_type(), lang),
            values: values(&config.draft.scale),
            is_archived: config.draft.is_archived,
            archive_url: urls::score_config_archive(id, config.id),
        };
        ScoreConfigsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, 7),
            may_set: reader.may(Permission::SetExpectations),
            fault: String::new(),
            rows: configs.iter().map(row).collect(),
            form: ConfigForm {
                kind: DataType::Categorical,
                ..ConfigForm::default()
            },
            action: urls::score_configs(id),
        }
    }
}

async fn page(app: &App, entered: &InProject) -> Result<ScoreConfigsPage, Fault> {
    let (configs, _) = score_configs::list(app, &entered.scope, (0, MOST)).await?;
    Ok(ScoreConfigsPage::new(&entered.reader, &configs))
}

/// Shows them.
pub(crate) async fn list_score_configs(State(app): State<App>, entered: InProject) -> Answer {
    Ok(render(&page(&app, &entered).await?))
}

/// Makes one.
pub(crate) async fn create_score_config(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    entered.scope.require(Permission::SetExpectations)?;
    let form = ConfigForm::posted(&pairs);
    let made = match form.draft() {
        Ok(draft) => create(&app, &entered, draft).await,
        Err(fault) => Err(fault),
    };
    let Err(fault) = made else {
        return Ok(see_other(&urls::score_configs(entered.id())));
    };
    if fault.code != Code::Invalid {
        return Err(fault.into());
    }
    let mut page = page(&app, &entered).await?;
    let fault = in_words(fault);
    page.fault = other_fault(&fault, FIELDS);
    page.form = form.with_fault(&fault);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

/// Programs may make several of one name; whoever chooses among them by name could not tell them apart.
async fn create(app: &App, entered: &InProject, draft: ScoreConfigDraft) -> Result<(), Fault> {
    require_free(app, entered, &draft.name).await?;
    score_configs::create(app, &entered.scope, draft).await?;
    Ok(())
}

async fn require_free(app: &App, entered: &InProject, name: &str) -> Result<(), Fault> {
    let (configs, _) = score_configs::list(app, &entered.scope, (0, MOST)).await?;
    let mut in_use = configs.iter().filter(|config| !config.draft.is_archived);
    match in_use.any(|config| config.draft.name == name) {
        true => {
            let message = "there is one of this name already; archive it first";
            Err(Fault::invalid(message).on_field("name"))
        }
        false => Ok(()),
    }
}

/// A fault in the words of the form: its fields have other names here than in the API.
fn in_words(fault: Fault) -> Fault {
    let Some(field) = fault.field.clone() else {
        return fault;
    };
    let message = fault.message.strip_prefix(&format!("{field} "));
    let message = message.unwrap_or(&fault.message);
    let message = message
        .replace("minValue", "the least value")
        .replace("maxValue", "the greatest value");
    Fault::invalid(message).on_field(field)
}

/// Archives one, or takes it back.
pub(crate) async fn archive_score_config(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let id: Option<ScoreConfigId> = segment(&params, "config").and_then(|id| id.parse().ok());
    let change = ScoreConfigChange {
        is_archived: Some(pairs.get("on") == Some("1")),
        ..ScoreConfigChange::default()
    };
    let id = id.ok_or_else(no_such_page)?;
    if change.is_archived == Some(false) {
        let config = score_configs::show(&app, &entered.scope, id).await?;
        if config.draft.is_archived {
            require_free(&app, &entered, &config.draft.name).await?;
        }
    }
    score_configs::update(&app, &entered.scope, id, change).await?;
    Ok(see_other(&urls::score_configs(entered.id())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_speak_of_the_fields_of_the_form() {
        let fault = Fault::invalid("maxValue must be greater than minValue").on_field("maxValue");
        let told = in_words(fault);
        assert_eq!(told.message, "must be greater than the least value");
        assert_eq!(told.field.as_deref(), Some("maxValue"));
    }

    #[test]
    fn labels_have_the_number_that_is_written_or_that_of_their_line() {
        let read = categories("bad\n\n good = 5 \na=b=-1").unwrap();
        let read: Vec<(&str, f64)> = read
            .iter()
            .map(|category| (category.label.as_str(), category.value))
            .collect();
        assert_eq!(read, [("bad", 0.0), ("good", 5.0), ("a=b", -1.0)]);
        assert!(categories("a = x").is_err());
    }
}

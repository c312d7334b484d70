//! How soon answers should come.

use axum::extract::{RawPathParams, State};
use domain::objective::{Objective, ObjectiveDraft};
use domain::pattern::NamePattern;
use domain::{Fault, ObjectiveId};
use service::{App, objectives};

use super::page;
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::Field;
use crate::format;
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, see_other};
use crate::urls;

/// Fields of the form, as faults name them.
const FIELDS: &[&str] = &["model", "ttft_ms", "tpot_ms"];

/// An objective.
pub(crate) struct ObjectiveRow {
    pub(crate) model: String,
    pub(crate) ttft: String,
    pub(crate) tpot: String,
    pub(crate) delete_url: String,
    pub(crate) dialog: String,
}

impl ObjectiveRow {
    pub(super) fn new(reader: &Reader, objective: &Objective) -> Self {
        let draft = &objective.draft;
        let time = |ms: Option<f64>| ms.map_or_else(|| "–".to_owned(), format::latency);
        ObjectiveRow {
            model: draft.model.to_string(),
            ttft: time(draft.ttft_ms),
            tpot: time(draft.tpot_ms),
            delete_url: urls::objective_delete(reader.id(), objective.id),
            dialog: format!("delete-{}", objective.id),
        }
    }
}

/// The form as it is filled in.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectiveForm {
    pub(crate) model: Field,
    pub(crate) ttft: Field,
    pub(crate) tpot: Field,
}

impl ObjectiveForm {
    fn posted(pairs: &Pairs) -> Self {
        let field = |name| Field::holding(pairs.get(name).unwrap_or_default().trim());
        ObjectiveForm {
            model: field("model"),
            ttft: field("ttft_ms"),
            tpot: field("tpot_ms"),
        }
    }

    fn with_fault(self, fault: &Fault) -> Self {
        ObjectiveForm {
            model: self.model.with_fault("model", fault),
            ttft: self.ttft.with_fault("ttft_ms", fault),
            tpot: self.tpot.with_fault("tpot_ms", fault),
        }
    }

    fn draft(&self) -> Result<ObjectiveDraft, Fault> {
        let time = |name: &str, field: &Field| match field.value.as_str() {
            "" => Ok(None),
            entered => entered
                .parse()
                .map(Some)
                .map_err(|_| Fault::invalid("give milliseconds").on_field(name)),
        };
        let model = match self.model.value.as_str() {
            "" => "*",
            entered => entered,
        };
        Ok(ObjectiveDraft {
            model: NamePattern::new(model),
            ttft_ms: time("ttft_ms", &self.ttft)?,
            tpot_ms: time("tpot_ms", &self.tpot)?,
        })
    }
}

/// Sets one.
pub(crate) async fn create_objective(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let form = ObjectiveForm::posted(&pairs);
    let set = match form.draft() {
        Ok(draft) => objectives::create(&app, &entered.scope, draft).await,
        Err(fault) => Err(fault),
    };
    let Err(fault) = set else {
        return Ok(see_other(&urls::expectations(entered.id())));
    };
    let mut page = page(&app, &entered).await?;
    page.objective = form.with_fault(&fault);
    page.refused(fault, FIELDS)
}

/// Deletes one.
pub(crate) async fn delete_objective(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let id: Option<ObjectiveId> = segment(&params, "objective").and_then(|id| id.parse().ok());
    objectives::delete(&app, &entered.scope, id.ok_or_else(no_such_page)?).await?;
    Ok(see_other(&urls::expectations(entered.id())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_model_is_any_and_an_empty_time_is_not_asked_for() {
        let draft = |body: &[u8]| ObjectiveForm::posted(&Pairs::parse(body)).draft();
        let set = draft(b"model=&ttft_ms=500&tpot_ms=").unwrap();
        assert_eq!(set.model.as_str(), "*");
        assert_eq!((set.ttft_ms, set.tpot_ms), (Some(500.0), None));
        let field = draft(b"tpot_ms=soon").unwrap_err().field;
        assert_eq!(field.as_deref(), Some("tpot_ms"));
    }
}

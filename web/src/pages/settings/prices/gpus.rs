//! Prices of the project's own GPUs, a section of the page of prices.

use axum::extract::{RawPathParams, State};
use domain::cost::{GpuPrice, GpuPriceDraft, ProjectGpuPrice};
use domain::pattern::NamePattern;
use domain::{Fault, GpuPriceId, Usd};
use service::{App, gpu_prices, prices};

use super::page;
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::Field;
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, see_other};
use crate::urls;

/// Fields of the form, as faults name them.
const FIELDS: &[&str] = &["model", "provider", "instance", "usd_per_gpu_hour", "gpus"];

/// The section.
#[derive(Default)]
pub(crate) struct GpuSection {
    pub(crate) rows: Vec<GpuRow>,
    pub(crate) form: GpuForm,
    pub(crate) save_url: String,
    /// Where it stands what they yielded.
    pub(crate) report_url: String,
}

/// A price of GPUs.
pub(crate) struct GpuRow {
    pub(crate) model: String,
    /// Provider and instance, where they are asked for.
    pub(crate) at: String,
    pub(crate) gpus: String,
    pub(crate) usd: String,
    pub(crate) delete_url: String,
    pub(crate) dialog: String,
}

/// The form as it is filled in.
#[derive(Clone, Debug, Default)]
pub(crate) struct GpuForm {
    pub(crate) model: Field,
    pub(crate) provider: Field,
    pub(crate) instance: Field,
    pub(crate) usd: Field,
    pub(crate) gpus: Field,
}

impl GpuSection {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, all: &[ProjectGpuPrice]) -> Self {
        let id = reader.id();
        let row = |price: &ProjectGpuPrice| {
            let draft = &price.draft;
            let at = [&draft.provider, &draft.instance];
            let at: Vec<&str> = at.into_iter().flatten().map(NamePattern::as_str).collect();
            GpuRow {
                model: draft.model.to_string(),
                at: at.join(" · "),
                gpus: draft.price.gpus.to_string(),
                usd: Usd(draft.price.usd_per_gpu_hour).to_string(),
                delete_url: urls::gpu_price_delete(id, price.id),
                dialog: format!("delete-{}", price.id),
            }
        };
        GpuSection {
            rows: all.iter().map(row).collect(),
            form: GpuForm::default(),
            save_url: urls::gpu_prices(id),
            report_url: urls::serving_home(id),
        }
    }
}

impl GpuForm {
    fn posted(pairs: &Pairs) -> Self {
        let field = |name| Field::holding(pairs.get(name).unwrap_or_default().trim());
        GpuForm {
            model: field("model"),
            provider: field("provider"),
            instance: field("instance"),
            usd: field("usd_per_gpu_hour"),
            gpus: field("gpus"),
        }
    }

    fn with_fault(self, fault: &Fault) -> Self {
        GpuForm {
            model: self.model.with_fault("model", fault),
            provider: self.provider.with_fault("provider", fault),
            instance: self.instance.with_fault("instance", fault),
            usd: self.usd.with_fault("usd_per_gpu_hour", fault),
            gpus: self.gpus.with_fault("gpus", fault),
        }
    }

    fn draft(&self) -> Result<GpuPriceDraft, Fault> {
        let pattern = |field: &Field| {
            let filled = !field.value.is_empty();
            filled.then(|| NamePattern::new(&field.value))
        };
        let usd: Result<Usd, _> = self.usd.value.trim_start_matches('$').parse();
        let usd = usd.map_err(|_| wrong("usd_per_gpu_hour", "give US dollars"))?;
        let gpus = match self.gpus.value.as_str() {
            "" => 1,
            entered => entered
                .parse()
                .map_err(|_| wrong("gpus", "give a number"))?,
        };
        Ok(GpuPriceDraft {
            model: NamePattern::new(&self.model.value),
            provider: pattern(&self.provider),
            instance: pattern(&self.instance),
            price: GpuPrice {
                usd_per_gpu_hour: usd.0,
                gpus,
            },
        })
    }
}

/// Sets one.
pub(crate) async fn create_gpu_price(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let form = GpuForm::posted(&pairs);
    let set = match form.draft() {
        Ok(draft) => gpu_prices::create(&app, &entered.scope, draft).await,
        Err(fault) => Err(fault),
    };
    let Err(fault) = set else {
        return Ok(see_other(&urls::prices(entered.id())));
    };
    let all = prices::list(&app, &entered.scope).await?;
    let mut page = page(&app, &entered, &all).await?;
    page.gpus.form = form.with_fault(&fault);
    page.refused(fault, FIELDS)
}

/// Deletes one.
pub(crate) async fn delete_gpu_price(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let id: Option<GpuPriceId> = segment(&params, "price").and_then(|id| id.parse().ok());
    gpu_prices::delete(&app, &entered.scope, id.ok_or_else(no_such_page)?).await?;
    Ok(see_other(&urls::prices(entered.id())))
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(why).on_field(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_entered_becomes_a_price_and_what_is_wrong_is_named() {
        let draft = |body: &[u8]| GpuForm::posted(&Pairs::parse(body)).draft();
        let set = draft(b"model=qwen/*&instance=gpu-7&usd_per_gpu_hour=$2.50&gpus=8").unwrap();
        assert_eq!(set.price.usd_per_gpu_hour.to_string(), "2.50");
        assert_eq!((set.price.gpus, set.provider), (8, None));
        assert_eq!(draft(b"model=m&usd_per_gpu_hour=1").unwrap().price.gpus, 1);
        let field = |body| draft(body).unwrap_err().field.unwrap();
        assert_eq!(field(b"model=m&usd_per_gpu_hour=much"), "usd_per_gpu_hour");
        assert_eq!(field(b"model=m&usd_per_gpu_hour=1&gpus=few"), "gpus");
    }
}

//! Prices of models: the project's own, models that lack one, and the past priced anew.

/// What a person enters as a price.
mod form;
/// Prices of GPUs.
mod gpus;

use askama::Template;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::response::IntoResponse;
use domain::cost::{PriceDraft, ProjectPrice, Reprice, RepriceState, UnpricedModel};
use domain::filter::Filter;
use domain::tenancy::Permission;
use domain::{Code, Fault, Nanos, PriceId, Timestamp};
use http::StatusCode;
use service::{App, gpu_prices, prices, reprice};

use super::tabs;
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::other_fault;
use crate::format;
use crate::i18n::text;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

use form::{FIELDS, PriceForm};
pub(crate) use gpus::{GpuSection, create_gpu_price, delete_gpu_price};

/// How far back the past is priced anew from this page.
const PAST: Nanos = Nanos::from_seconds(30 * 24 * 3600);

/// Prices of models.
#[derive(Template)]
#[template(path = "settings/prices.html")]
pub(crate) struct PricesPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_set: bool,
    pub(crate) rows: Vec<PriceRow>,
    pub(crate) unpriced: Vec<UnpricedRow>,
    pub(crate) form: PriceForm,
    pub(crate) fault: String,
    /// Where a changed price goes; `None`: a new one is set.
    pub(crate) save_url: String,
    pub(crate) is_change: bool,
    pub(crate) prices_url: String,
    pub(crate) reprice_url: String,
    pub(crate) gpus: GpuSection,
    /// How far the past is; empty when nobody asked.
    pub(crate) progress: String,
}

/// A price of the project.
pub(crate) struct PriceRow {
    pub(crate) model: String,
    pub(crate) is_pattern: bool,
    pub(crate) input: String,
    pub(crate) output: String,
    pub(crate) others: String,
    pub(crate) valid: String,
    pub(crate) edit_url: String,
    pub(crate) delete_url: String,
    pub(crate) dialog: String,
}

/// A model without a price.
pub(crate) struct UnpricedRow {
    pub(crate) model: String,
    pub(crate) provider: String,
    pub(crate) calls: String,
    pub(crate) last_call: String,
    /// Empty for calls that name no model.
    pub(crate) set_url: String,
}

impl PricesPage {
    /// As it opens.
    pub(crate) fn new(
        reader: &Reader,
        all: &[ProjectPrice],
        unpriced: &[UnpricedModel],
        now: Timestamp,
    ) -> Self {
        let id = reader.id();
        PricesPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            tabs: tabs(reader, 3),
            may_set: reader.may(Permission::SetPrices),
            rows: all
                .iter()
                .map(|price| PriceRow::new(reader, price))
                .collect(),
            unpriced: unpriced
                .iter()
                .map(|model| UnpricedRow::new(reader, model, now))
                .collect(),
            form: PriceForm::default(),
            fault: String::new(),
            save_url: urls::prices(id),
            is_change: false,
            prices_url: urls::prices(id),
            reprice_url: urls::reprice(id),
            gpus: GpuSection::default(),
            progress: String::new(),
        }
    }

    /// With a price in the form, to be changed.
    #[must_use]
    fn changing(mut self, reader: &Reader, id: PriceId, form: PriceForm) -> Self {
        self.form = form;
        self.save_url = urls::price(reader.id(), id);
        self.is_change = true;
        self
    }

    /// With why it was refused, where none of the fields says so.
    fn refused(mut self, fault: Fault, fields: &[&str]) -> Answer {
        if !matches!(fault.code, Code::Invalid | Code::Conflict) {
            return Err(fault.into());
        }
        self.fault = other_fault(&fault, fields);
        Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&self)).into_response())
    }
}

impl PriceRow {
    fn new(reader: &Reader, price: &ProjectPrice) -> Self {
        let (id, zone) = (reader.id(), reader.zone());
        let draft = &price.draft;
        let form = PriceForm::from(draft);
        let edge = |time: Option<Timestamp>| time.map_or(String::new(), |time| zone.minute(time));
        let (from, to) = (edge(draft.valid_from), edge(draft.valid_to));
        let valid = match (from.is_empty(), to.is_empty()) {
            (true, true) => reader.lang().t("always").to_owned(),
            _ => format!("{from} – {to}"),
        };
        PriceRow {
            model: draft.model.clone(),
            is_pattern: form.is_pattern(),
            input: form.input.value.clone(),
            output: form.output.value.clone(),
            others: form::others(draft),
            valid,
            edit_url: urls::price_edit(id, price.id),
            delete_url: urls::price_delete(id, price.id),
            dialog: format!("delete-{}", price.id),
        }
    }
}

impl UnpricedRow {
    fn new(reader: &Reader, unpriced: &UnpricedModel, now: Timestamp) -> Self {
        let model = unpriced.model.as_deref();
        UnpricedRow {
            model: model.unwrap_or("–").to_owned(),
            provider: unpriced.provider.clone().unwrap_or_default(),
            calls: format::count(unpriced.calls),
            last_call: reader.zone().row_time(unpriced.last_call, now),
            set_url: model.map_or(String::new(), |model| {
                urls::price_of_model(reader.id(), model)
            }),
        }
    }
}

/// Shows them. `?model=` begins a price for a model, `?price=` changes one, `?repricing=` tells how far
/// it is.
pub(crate) async fn list_prices(
    State(app): State<App>,
    entered: InProject,
    RawQuery(query): RawQuery,
) -> Answer {
    let pairs = Pairs::parse(query.unwrap_or_default().as_bytes());
    let all = prices::list(&app, &entered.scope).await?;
    let mut page = page(&app, &entered, &all).await?;
    if let Some(model) = pairs.get("model") {
        page.form = PriceForm::for_model(model);
    }
    if let Some(id) = pairs.get("price").and_then(|id| id.parse().ok()) {
        let price = all.iter().find(|price| price.id == id);
        let price = price.ok_or_else(no_such_page)?;
        page = page.changing(&entered.reader, id, PriceForm::from(&price.draft));
    }
    if let Some(id) = pairs.get("repricing").and_then(|id| id.parse().ok()) {
        let reprice = reprice::show(&app, &entered.scope, id).await?;
        page.progress = progress(&entered.reader, &reprice);
    }
    Ok(render(&page))
}

async fn page(app: &App, entered: &InProject, all: &[ProjectPrice]) -> Result<PricesPage, Fault> {
    let unpriced = match prices::unpriced(app, &entered.scope).await {
        // Among very many calls; the rest of the page is of use without them.
        Err(fault) if fault.code == Code::Timeout => Vec::new(),
        unpriced => unpriced?,
    };
    let now = app.clock().now();
    let mut page = PricesPage::new(&entered.reader, all, &unpriced, now);
    let gpus = gpu_prices::list(app, &entered.scope).await?;
    page.gpus = GpuSection::new(&entered.reader, &gpus);
    Ok(page)
}

fn progress(reader: &Reader, reprice: &Reprice) -> String {
    let (lang, count) = (reader.lang(), format::count);
    match (reprice.state, reprice.total) {
        (RepriceState::Done, _) => lang.fill(
            "Done: {} calls cost something else now.",
            &[&count(reprice.changed)],
        ),
        (RepriceState::Failed, _) => lang.t("It was given up; try again later.").to_owned(),
        (RepriceState::Running, Some(total)) => lang.fill(
            "Under way: {} of {} calls.",
            &[&count(reprice.done), &count(total)],
        ),
        (RepriceState::Running, None) => lang.t(text!("Under way.")).to_owned(),
    }
}

/// Sets one.
pub(crate) async fn create_price(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let form = PriceForm::posted(&pairs);
    let set = match form.draft(PriceDraft::default()) {
        Ok(draft) => prices::create(&app, &entered.scope, draft).await,
        Err(fault) => Err(fault),
    };
    let Err(fault) = set else {
        return Ok(see_other(&urls::prices(entered.id())));
    };
    let all = prices::list(&app, &entered.scope).await?;
    let mut page = page(&app, &entered, &all).await?;
    page.form = form.with_fault(&fault);
    page.refused(fault, FIELDS)
}

/// Changes one.
pub(crate) async fn update_price(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let id = price_in(&params)?;
    let form = PriceForm::posted(&pairs);
    let change = |draft| form.draft(draft);
    let Err(fault) = prices::update(&app, &entered.scope, id, change).await else {
        return Ok(see_other(&urls::prices(entered.id())));
    };
    let all = prices::list(&app, &entered.scope).await?;
    let page = page(&app, &entered, &all).await?;
    let page = page.changing(&entered.reader, id, form.with_fault(&fault));
    page.refused(fault, FIELDS)
}

/// Deletes one.
pub(crate) async fn delete_price(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    prices::delete(&app, &entered.scope, price_in(&params)?).await?;
    Ok(see_other(&urls::prices(entered.id())))
}

/// Has the costs of the last days computed anew.
pub(crate) async fn create_reprice(
    State(app): State<App>,
    entered: InProject,
    _: Posted,
) -> Answer {
    let now = app.clock().now();
    let filter = Filter {
        from: Some(now.minus(PAST)),
        to: Some(now),
        ..Filter::default()
    };
    let asked = reprice::create(&app, &entered.scope, filter).await?;
    Ok(see_other(&urls::repricing(entered.id(), asked.id)))
}

fn price_in(params: &RawPathParams) -> Result<PriceId, Fault> {
    segment(params, "price")
        .and_then(|id| id.parse().ok())
        .ok_or_else(no_such_page)
}

//! What holds for all rules of the project: baselines, factor, delay.

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use domain::alert::AlertSettings;
use domain::tenancy::Permission;
use domain::{Code, Fault};
use http::StatusCode;
use serde_json::{Map, Number, Value};
use service::App;
use service::alerts::settings;

use super::tabs;
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::{Field, other_fault};
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Fields of the form, as faults name them.
const FIELDS: [&str; 7] = [
    "zone",
    "refresh_hour",
    "baseline_days",
    "baseline_mads",
    "adaptive_factor",
    "min_samples",
    "delay_s",
];

/// The page.
#[derive(Template)]
#[template(path = "alerts/settings.html")]
pub(crate) struct AlertSettingsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_set: bool,
    pub(crate) fault: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) action: String,
}

/// A field.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) hint: &'static str,
    pub(crate) field: Field,
}

impl AlertSettingsPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, settings: &AlertSettings) -> Self {
        let values = [
            settings.zone.clone(),
            settings.refresh_hour.to_string(),
            settings.baseline_days.to_string(),
            settings.baseline_mads.to_string(),
            settings.adaptive_factor.to_string(),
            settings.min_samples.to_string(),
            settings.delay_s.to_string(),
        ];
        let lang = reader.lang();
        let words = [
            (
                lang.t("Time zone"),
                lang.t("Hours of the day are told in it: Europe/Berlin"),
            ),
            (
                lang.t("Hour at which baselines are worked out"),
                lang.t("0 to 23; of the days before."),
            ),
            (lang.t("Days of a baseline"), lang.t("1 to 28.")),
            (
                lang.t("MADs above the median"),
                lang.t("A baseline is the median of the minutes of its hour, plus so many times their median distance from it."),
            ),
            (
                lang.t("Factor of adaptive rules"),
                lang.t("They fire beyond the baseline times this, unless they have a factor of their own."),
            ),
            (
                lang.t("Fewest minutes"),
                lang.t("An hour with fewer minutes that have values has no baseline."),
            ),
            (
                lang.t("Delay, seconds"),
                lang.t("How long telemetry may take to arrive. Rules look at each step so much later."),
            ),
        ];
        let rows = FIELDS.iter().zip(values).zip(words);
        let rows = rows.map(|((name, value), (label, hint))| Row {
            id: format!("alerts-{}", name.replace('_', "-")),
            name,
            label,
            hint,
            field: Field::holding(&value),
        });
        AlertSettingsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Alerts),
            tabs: tabs(reader, 2),
            may_set: reader.may(Permission::SetExpectations),
            fault: String::new(),
            rows: rows.collect(),
            action: urls::alert_settings(reader.id()),
        }
    }

    fn with_entered(mut self, pairs: &Pairs, fault: &Fault) -> Self {
        for row in &mut self.rows {
            let entered = pairs.get(row.name).unwrap_or_default();
            row.field = Field::holding(entered.trim()).with_fault(row.name, fault);
        }
        self.fault = other_fault(fault, &FIELDS);
        self
    }
}

/// Shows it.
pub(crate) async fn show_alert_settings(State(app): State<App>, entered: InProject) -> Answer {
    let settings = settings::show(&app, &entered.scope).await?;
    Ok(render(&AlertSettingsPage::new(&entered.reader, &settings)))
}

/// Sets what was entered.
pub(crate) async fn set_alert_settings(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let Err(fault) = settings::set(&app, &entered.scope, &fields(&pairs)).await else {
        return Ok(see_other(&urls::alert_settings(entered.id())));
    };
    if !matches!(fault.code, Code::Invalid | Code::Conflict) {
        return Err(fault.into());
    }
    let settings = settings::show(&app, &entered.scope).await?;
    let page = AlertSettingsPage::new(&entered.reader, &settings).with_entered(&pairs, &fault);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

/// What was entered, as the settings read it; what is empty stays as it is.
fn fields(pairs: &Pairs) -> Map<String, Value> {
    let mut fields = Map::new();
    for name in FIELDS {
        let Some(text) = pairs.filled(name) else {
            continue;
        };
        let whole = text.parse::<u64>().ok().map(Value::from);
        let number = || {
            text.parse()
                .ok()
                .and_then(Number::from_f64)
                .map(Value::Number)
        };
        let value = match name {
            "zone" => None,
            _ => whole.or_else(number),
        };
        fields.insert(name.to_owned(), value.unwrap_or_else(|| Value::from(text)));
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_numbers_and_a_zone_is_a_text() {
        let read = fields(&Pairs::parse(
            b"zone=UTC&delay_s=20&baseline_mads=2.5&min_samples=many&refresh_hour=",
        ));
        assert_eq!(
            Value::Object(read),
            serde_json::json!({
                "zone": "UTC", "delay_s": 20, "baseline_mads": 2.5, "min_samples": "many"
            })
        );
    }
}

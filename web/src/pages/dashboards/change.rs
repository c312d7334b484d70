//! Name, place, copies, deletion.

use axum::Json;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::Fault;
use domain::dashboard::{Document, MAX_NAME_CHARS, Place, WidgetId, settled};
use serde_json::json;
use service::{App, dashboards};

use super::{dashboard_id, no_widget, widget_id};
use crate::extract::{InProject, Pairs, Posted};
use crate::pages::{Answer, see_other};
use crate::urls;

/// Gives it another name and description.
pub(crate) async fn rename_dashboard(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let id = dashboard_id(&params)?;
    let text = |name| pairs.get(name).unwrap_or_default().to_owned();
    dashboards::change(&app, &entered.scope, id, |document| {
        (document.name, document.description) = (text("name"), text("description"));
        Ok(())
    })
    .await?;
    Ok(see_other(&urls::dashboard(entered.id(), id)))
}

/// Makes another one like it.
pub(crate) async fn clone_dashboard(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let dashboard = dashboards::show(&app, &entered.scope, dashboard_id(&params)?).await?;
    let document = Document {
        name: copied(&entered, &dashboard.document.name),
        ..dashboard.document
    };
    let made = dashboards::create(&app, &entered.scope, document).await?;
    Ok(see_other(&urls::dashboard(entered.id(), made.id)))
}

/// The name of a copy, no longer than names are.
fn copied(entered: &InProject, name: &str) -> String {
    let filled = entered.reader.lang().fill("{} (copy)", &[name]);
    match filled.chars().count() > MAX_NAME_CHARS {
        true => name.to_owned(),
        false => filled,
    }
}

/// Deletes it.
pub(crate) async fn delete_dashboard(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    dashboards::delete(&app, &entered.scope, dashboard_id(&params)?).await?;
    Ok(see_other(&urls::dashboards(entered.id())))
}

/// Takes a widget off.
pub(crate) async fn delete_widget(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let (id, widget) = (dashboard_id(&params)?, widget_id(&params)?);
    dashboards::change(&app, &entered.scope, id, |document| {
        document.widget(widget).ok_or_else(no_widget)?;
        document.widgets.retain(|known| known.id != widget);
        Ok(())
    })
    .await?;
    Ok(see_other(&urls::dashboard(entered.id(), id)))
}

/// Makes another widget like it, below all others.
pub(crate) async fn copy_widget(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let (id, widget) = (dashboard_id(&params)?, widget_id(&params)?);
    dashboards::change(&app, &entered.scope, id, |document| {
        let mut copy = document.widget(widget).ok_or_else(no_widget)?.clone();
        copy.id = document.free_id();
        copy.title = copied(&entered, &copy.title);
        copy.place = document.free_place((copy.place.w, copy.place.h));
        document.widgets.push(copy);
        Ok(())
    })
    .await?;
    Ok(see_other(&urls::dashboard(entered.id(), id)))
}

/// Moves a widget, or makes it larger; tells where all stand then.
pub(crate) async fn place_widget(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let id = dashboard_id(&params)?;
    let (widget, place) = (WidgetId(whole(&pairs, "widget")?), place(&pairs)?);
    let dashboard = dashboards::change(&app, &entered.scope, id, |document| {
        let moved = document.widgets.iter_mut().find(|known| known.id == widget);
        moved.ok_or_else(no_widget)?.place = place;
        settled(&mut document.widgets, Some(widget));
        Ok(())
    })
    .await?;
    let places = dashboard.document.widgets.iter().map(|widget| {
        let Place { x, y, w, h } = widget.place;
        json!({"id": widget.id.0, "x": x, "y": y, "w": w, "h": h})
    });
    Ok(Json(places.collect::<Vec<_>>()).into_response())
}

/// The nearest on the grid to what was asked for.
fn place(pairs: &Pairs) -> Result<Place, Fault> {
    let narrow = |name| {
        let number: u32 = whole(pairs, name)?;
        Ok::<_, Fault>(u8::try_from(number).unwrap_or(u8::MAX))
    };
    let y: u32 = whole(pairs, "y")?;
    let place = Place {
        x: narrow("x")?,
        y: u16::try_from(y).unwrap_or(u16::MAX),
        w: narrow("w")?,
        h: narrow("h")?,
    };
    Ok(place.on_grid())
}

fn whole(pairs: &Pairs, name: &str) -> Result<u32, Fault> {
    let number = pairs.get(name).and_then(|text| text.parse().ok());
    number.ok_or_else(|| Fault::invalid(format!("{name}: give a whole number")).on_field(name))
}

//! Dashboards: charts over the numbers of [`crate::metrics`], on a grid.
//!
//! A [`Document`] is checked where it comes in, from a form as from JSON: whatever is kept can be asked and drawn.

/// Where widgets stand.
mod grid;

/// What a widget asks.
mod question;
/// A chart with its question and its place.
mod widget;

/// A dashboard as JSON.
mod json;

pub use grid::{COLUMNS, MAX_HEIGHT, MAX_ROWS, MIN_WIDTH, Place, settled};
pub use question::{By, MAX_ONLY, MAX_TOP, MAX_TOP_OF_TABLE, Only, OnlyOperator, Pieces, Question};
pub use widget::{Chart, Widget, WidgetId};

use crate::{DashboardId, Fault, Timestamp};

/// Most widgets of a dashboard.
pub const MAX_WIDGETS: usize = 30;
/// Most characters of a name or a title.
pub const MAX_NAME_CHARS: usize = 100;
/// Most characters of a description.
const MAX_DESCRIPTION_CHARS: usize = 500;

/// What people make: a name and widgets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Its name.
    pub name: String,
    /// What it is for; may be empty.
    pub description: String,
    /// Its widgets, none over another.
    pub widgets: Vec<Widget>,
}

/// A dashboard of a project.
#[derive(Clone, Debug, PartialEq)]
pub struct Dashboard {
    /// Its id.
    pub id: DashboardId,
    /// What people made.
    pub document: Document,
    /// Counts its changes, from 1.
    pub revision: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A dashboard in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct DashboardSummary {
    /// Its id.
    pub id: DashboardId,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// How many widgets it has.
    pub widgets: u32,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl Document {
    /// Checks it, and moves widgets off one another.
    ///
    /// # Errors
    /// `invalid`, naming what is wrong by its path.
    pub fn checked(mut self) -> Result<Self, Fault> {
        self.name = text("name", &self.name, MAX_NAME_CHARS)?;
        if self.name.is_empty() {
            return Err(Fault::invalid("name must not be empty").on_field("name"));
        }
        self.description = text("description", &self.description, MAX_DESCRIPTION_CHARS)?;
        if self.widgets.len() > MAX_WIDGETS {
            let message = format!("widgets: a dashboard has at most {MAX_WIDGETS}");
            return Err(Fault::invalid(message).on_field("widgets"));
        }
        for at in 0..self.widgets.len() {
            let id = self.widgets[at].id;
            if self.widgets[..at].iter().any(|other| other.id == id) {
                let message = format!("widgets[{at}].id: {id} is there twice");
                return Err(Fault::invalid(message).on_field("widgets"));
            }
            self.widgets[at]
                .check()
                .map_err(|fault| within(at, &fault))?;
        }
        settled(&mut self.widgets, None);
        Ok(self)
    }

    /// One of its widgets.
    pub fn widget(&self, id: WidgetId) -> Option<&Widget> {
        self.widgets.iter().find(|widget| widget.id == id)
    }

    /// An id that no widget has.
    pub fn free_id(&self) -> WidgetId {
        let mut ids = (1..=u32::MAX).map(WidgetId);
        let free = ids.find(|&id| self.widget(id).is_none());
        free.unwrap_or(WidgetId(u32::MAX))
    }

    /// Where there is room below all widgets.
    pub fn free_place(&self, (w, h): (u8, u8)) -> Place {
        let ends = self
            .widgets
            .iter()
            .map(|widget| widget.place.y + u16::from(widget.place.h));
        Place {
            x: 0,
            y: ends.max().unwrap_or(0),
            w,
            h,
        }
    }
}

/// A fault of a widget, named by the widget's place; the field stays what it was, for the widget's own form.
fn within(at: usize, fault: &Fault) -> Fault {
    let message = format!("widgets[{at}].{}", fault.message);
    Fault::invalid(message).on_field("widgets")
}

/// A text without blanks around it, of at most so many characters, none of them a control character.
fn text(field: &str, text: &str, most: usize) -> Result<String, Fault> {
    let text = text.trim();
    if text.chars().count() > most {
        return Err(wrong(
            field,
            &format!("must have at most {most} characters"),
        ));
    }
    if text.chars().any(char::is_control) {
        return Err(wrong(field, "must not hold control characters"));
    }
    Ok(text.to_owned())
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(format!("{field}: {why}")).on_field(field)
}

#[cfg(test)]
mod tests;

//! Where widgets stand: on a grid of twelve columns, none over another, each as high up as it can.

use serde::{Deserialize, Serialize};

use super::widget::{Widget, WidgetId};
use super::wrong;
use crate::Fault;

/// Columns of the grid.
pub const COLUMNS: u8 = 12;
/// Rows of the grid.
pub const MAX_ROWS: u16 = 360;
/// Least columns of a widget.
pub const MIN_WIDTH: u8 = 2;
/// Least rows of a widget.
const MIN_HEIGHT: u8 = 2;
/// Most rows of a widget.
pub const MAX_HEIGHT: u8 = 12;

/// A rectangle of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Its first column, from 0.
    pub x: u8,
    /// Its first row, from 0.
    pub y: u16,
    /// Columns.
    pub w: u8,
    /// Rows.
    pub h: u8,
}

impl Place {
    /// Checks that it is on the grid.
    ///
    /// # Errors
    /// `invalid` on `place`.
    pub(super) fn check(self) -> Result<(), Fault> {
        let is_wide = (MIN_WIDTH..=COLUMNS).contains(&self.w) && self.x <= COLUMNS - self.w;
        let is_high = (MIN_HEIGHT..=MAX_HEIGHT).contains(&self.h) && self.y < MAX_ROWS;
        match is_wide && is_high {
            true => Ok(()),
            false => Err(wrong(
                "place",
                "x and w lie within 12 columns, w from 2; y is below 360, h from 2 to 12",
            )),
        }
    }

    /// The nearest that is on the grid.
    #[must_use]
    pub fn on_grid(self) -> Self {
        let w = self.w.clamp(MIN_WIDTH, COLUMNS);
        Place {
            x: self.x.min(COLUMNS - w),
            y: self.y.min(MAX_ROWS - 1),
            w,
            h: self.h.clamp(MIN_HEIGHT, MAX_HEIGHT),
        }
    }

    fn overlaps(self, other: Place) -> bool {
        let (right, bottom) = (self.x + self.w, self.y + u16::from(self.h));
        let (other_right, other_bottom) = (other.x + other.w, other.y + u16::from(other.h));
        self.x < other_right && other.x < right && self.y < other_bottom && other.y < bottom
    }
}

/// Moves widgets off one another and up as far as they go, in reading order. One that was just `moved` comes before
/// those that it was moved onto.
pub fn settled(widgets: &mut [Widget], moved: Option<WidgetId>) {
    widgets.sort_by_key(|widget| {
        let is_other = moved != Some(widget.id);
        (widget.place.y, is_other, widget.place.x, widget.id)
    });
    for at in 0..widgets.len() {
        let (before, rest) = widgets.split_at_mut(at);
        let Some(widget) = rest.first_mut() else {
            continue;
        };
        let is_free = |place: Place| !before.iter().any(|other| other.place.overlaps(place));
        let mut place = widget.place;
        while !is_free(place) {
            place.y += 1;
        }
        while place.y > 0
            && is_free(Place {
                y: place.y - 1,
                ..place
            })
        {
            place.y -= 1;
        }
        widget.place = place;
    }
    widgets.sort_by_key(|widget| (widget.place.y, widget.place.x));
}

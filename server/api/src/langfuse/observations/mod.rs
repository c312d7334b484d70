//! Observations: spans without what describes a trace as a whole.

mod columns;
mod grouped;
mod list;
/// By which price a cost was computed.
mod priced;
mod shape;
mod show;
/// Tools that a model was offered and called.
mod tools;
/// The second version of the list.
pub(crate) mod v2;

pub(crate) use grouped::{GroupedShape, Wanted};
pub(crate) use list::list_observations;
pub(crate) use priced::{Priced, Pricing};
pub(crate) use shape::ObservationShape;
pub(crate) use show::show_observation;

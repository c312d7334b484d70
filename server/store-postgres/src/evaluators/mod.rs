//! Evaluators, what waits for them, what they did.

/// What they did, by the hour and one by one.
mod figures;
/// Evaluators as they are set.
mod settings;
/// Turns: who looks for spans, who works on them.
mod work;

pub use figures::{figures, recent};
pub use settings::{create, delete, list, look_back, replace, show};
pub use work::{
    Finished, Hold, Look, MOST_WAITING, Taken, enqueue, finish, hold, looked, take, take_look,
};

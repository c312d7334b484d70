//! The playground: messages against models, several windows side by side; and a recorded step once more.

/// What a run comes to, beside what was recorded.
mod outcome;
/// One window runs, and tells of it while it does.
mod run;
/// What stands in a window becomes a version of a prompt or an item of a dataset.
mod save;
/// The page as it opens.
mod show;
/// A recorded step as a window.
mod step;
/// What is filled in for all windows.
mod values;
/// What a person enters in a window.
mod window;

pub(crate) use outcome::OutcomeView;
pub(crate) use run::run_window;
pub(crate) use save::{to_dataset, to_prompt};
pub(crate) use show::{PlaygroundPage, show_playground};

/// Windows side by side.
const MOST_WINDOWS: usize = 6;

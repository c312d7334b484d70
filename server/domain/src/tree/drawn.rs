//! What is computed of a tree to be drawn, whichever part of it somebody looks at.

use super::Tree;
use super::activity::bounds;
use super::critical::critical_path;
use super::figures::{Figures, figures};
use super::repeats::{Repeat, repeats};
use crate::time::Timestamp;

/// What is computed of a tree.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What each row comes to.
    pub figures: Vec<Figures>,
    /// Whether each row is on the critical path.
    pub on_path: Vec<bool>,
    /// Runs of spans that do the same.
    pub runs: Vec<Repeat>,
    /// First start and last end; `None` without any row.
    pub bounds: Option<(Timestamp, Timestamp)>,
}

impl Drawn {
    /// Computes it.
    pub fn of(tree: &Tree) -> Self {
        let figures = figures(tree);
        Drawn {
            on_path: critical_path(tree),
            runs: repeats(tree, &figures),
            bounds: bounds(tree),
            figures,
        }
    }
}

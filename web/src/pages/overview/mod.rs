//! Four rows on one screen: traffic, latency, resources, cost; what goes on stands above them.

/// Panels out of what was read.
mod panels;
/// What is read for the page.
mod read;
/// The page.
mod show;
/// What calls of models came to.
mod sums;

/// What samples are made of.
pub(crate) mod samples {
    use domain::Timestamp;

    pub(crate) use super::read::ASKS as ASKED;
    use super::read::{Told, steps};
    use crate::zone::Zone;

    /// Nothing, over the steps of a range.
    pub(crate) fn told(range: (Timestamp, Timestamp), zone: &Zone) -> Told {
        Told {
            range,
            steps: steps(range, zone),
            picture: service::axes::Picture::default(),
            by_model: Vec::new(),
            by_tenant: Vec::new(),
            by_prompt: Vec::new(),
            open: Vec::new(),
            incidents: Vec::new(),
            usual: Vec::new(),
        }
    }
}

pub(crate) use read::Told;
pub(crate) use show::{OverviewPage, show_overview};

//! What requests are told apart by.

use crate::Fault;
use crate::span::named_enum;

named_enum!(
    /// Something that requests are grouped by, and narrowed to.
    Dimension, default Instance {
        /// Serving instance, found by the topology rules.
        Instance = "instance",
        /// GPU of the instance, where it has just one.
        Gpu = "gpu",
        /// Model that answered, else the one asked for.
        Model = "model",
        /// Managed prompt.
        Prompt = "prompt",
        /// Managed prompt with its version: `name@3`.
        PromptVersion = "prompt_version",
        /// Tenant.
        Tenant = "tenant",
        /// Route.
        Route = "route",
        /// Release.
        Release = "release",
        /// Provider.
        Provider = "provider",
        /// Environment.
        Environment = "environment",
    }
);

/// How many there are.
pub const DIMENSIONS: usize = 10;

impl Dimension {
    /// Its place among all.
    pub fn place(self) -> usize {
        self as usize
    }

    /// Whether it tells instances and their GPUs apart, and not only what they were asked.
    pub fn is_of_fleet(self) -> bool {
        matches!(self, Dimension::Instance | Dimension::Gpu)
    }

    /// From names separated by commas.
    ///
    /// # Errors
    /// `invalid` on `group_by`, naming those that are known.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, Fault> {
        let mut dimensions = Vec::new();
        for name in text.split(',').map(str::trim) {
            let known = Dimension::from_name(name).ok_or_else(|| {
                let names: Vec<&str> = Dimension::ALL.iter().map(|known| known.as_str()).collect();
                let message = format!("group_by: give any of {}", names.join(", "));
                Fault::invalid(message).on_field("group_by")
            })?;
            if !dimensions.contains(&known) {
                dimensions.push(known);
            }
        }
        Ok(dimensions)
    }
}

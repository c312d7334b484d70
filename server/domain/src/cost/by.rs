//! What costs are told apart by.

use crate::metrics::Dimension;
use crate::span::named_enum;

named_enum!(
    /// What costs are told apart by.
    CostBy, default Model {
        /// Model that answered or was asked for.
        Model = "model",
        /// User of the trace.
        User = "user",
        /// Tenant of the trace.
        Tenant = "tenant",
        /// Key `feature` of the trace's metadata.
        Feature = "feature",
        /// Route of the trace.
        Route = "route",
        /// Key `region` of the trace's metadata.
        Region = "region",
        /// Key `variant` of the trace's metadata.
        Variant = "variant",
        /// Managed prompt with its version.
        PromptVersion = "prompt_version",
        /// Environment of the call.
        Environment = "environment",
    }
);

impl CostBy {
    /// The dimensions that tell them apart.
    pub fn dimensions(self) -> &'static [Dimension] {
        match self {
            CostBy::Model => &[Dimension::Model],
            CostBy::User => &[Dimension::User],
            CostBy::Tenant => &[Dimension::Tenant],
            CostBy::Feature => &[Dimension::Feature],
            CostBy::Route => &[Dimension::Route],
            CostBy::Region => &[Dimension::Region],
            CostBy::Variant => &[Dimension::Variant],
            CostBy::PromptVersion => &[Dimension::Prompt, Dimension::PromptVersion],
            CostBy::Environment => &[Dimension::Environment],
        }
    }
}

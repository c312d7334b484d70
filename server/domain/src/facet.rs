//! Values that a column has among what a list shows.

/// The most common values of a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facet {
    /// Each once, the most common first.
    pub values: Vec<FacetValue>,
    /// Whether there are others.
    pub has_more: bool,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetValue {
    /// As it is stored.
    pub value: String,
    /// How many traces have it.
    pub traces: u64,
}

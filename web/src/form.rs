//! Values and errors of a form, per field. Secrets are never echoed.

use domain::{Fault, Nanos};

use crate::i18n::Lang;

/// A field as its template shows it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    /// What was entered; empty for secrets.
    pub(crate) value: String,
    /// What was wrong with it; empty when nothing was.
    pub(crate) error: String,
}

impl Field {
    /// A field that holds a value.
    pub(crate) fn holding(value: &str) -> Self {
        Field {
            value: value.to_owned(),
            error: String::new(),
        }
    }

    /// The field with the words of a fault, where the fault names it.
    #[must_use]
    pub(crate) fn with_fault(mut self, name: &str, fault: &Fault) -> Self {
        if fault.field.as_deref() == Some(name) {
            self.error = fault.message.clone();
        }
        self
    }
}

/// The words of a fault that names none of a form's fields; they stand above the form.
pub(crate) fn other_fault(fault: &Fault, fields: &[&str]) -> String {
    match &fault.field {
        Some(field) if fields.contains(&field.as_str()) => String::new(),
        _ => fault.message.clone(),
    }
}

/// The words of a fault that says to wait.
pub(crate) fn too_many(lang: Lang, fault: &Fault) -> String {
    let seconds = fault
        .retry_after
        .unwrap_or(Nanos::from_seconds(60))
        .0
        .div_ceil(1_000_000_000);
    if seconds < 90 {
        lang.fill(
            "Too many tries. Try again in {} s.",
            &[&seconds.to_string()],
        )
    } else {
        lang.fill(
            "Too many tries. Try again in {} min.",
            &[&seconds.div_ceil(60).to_string()],
        )
    }
}

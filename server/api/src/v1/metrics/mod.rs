//! Metrics: which series there are, and their values over time. They are written to `POST /api/v1/metrics/write`, which
//! `ingest` serves, and by OTLP.

mod asked;
mod range;
mod series;

pub(crate) use range::show_metric_range;
pub(crate) use series::list_metric_series;

//! Names of datasets and runs as they stand in addresses. Some clients encode them twice, and a name may
//! hold a `%` of its own: so each is read in both ways, and the way in which it was written once goes
//! before the other.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use domain::dataset::{DatasetName, RunName};
use domain::{Fault, dataset};
use percent_encoding::percent_decode_str;
use service::App;

use crate::langfuse::error::{Failure, Result};

/// The names in a path: of a dataset, and of a run where there is a second one.
pub(crate) struct PathNames {
    /// What the dataset may be called; empty where that is no name.
    pub(crate) dataset: Vec<DatasetName>,
    /// What the run may be called.
    pub(crate) run: Vec<RunName>,
}

impl FromRequestParts<App> for PathNames {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let params = RawPathParams::from_request_parts(parts, app).await;
        let params = params.map_err(|error| Fault::invalid(error.body_text()))?;
        let mut texts = params.iter().map(|(_, text)| text);
        Ok(PathNames {
            dataset: texts.next().map(dataset_names).unwrap_or_default(),
            run: texts
                .next()
                .map(|text| readings(text, dataset::RunName::parse))
                .unwrap_or_default(),
        })
    }
}

/// What the dataset may be called that a text names; what is no name is left out.
pub(crate) fn dataset_names(text: &str) -> Vec<DatasetName> {
    readings(text, DatasetName::parse)
}

fn readings<T: PartialEq>(text: &str, parse: fn(&str) -> std::result::Result<T, Fault>) -> Vec<T> {
    let again = percent_decode_str(text).decode_utf8().ok();
    let texts = [Some(text), again.as_deref()];
    let mut names: Vec<T> = Vec::with_capacity(texts.len());
    for name in texts
        .into_iter()
        .flatten()
        .filter_map(|text| parse(text).ok())
    {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_written_and_decoded_once_more() {
        let read = |text: &str| -> Vec<String> {
            let names = dataset_names(text);
            names.iter().map(ToString::to_string).collect()
        };
        assert_eq!(read("plain name"), ["plain name"]);
        assert_eq!(read("team%2Fset"), ["team%2Fset", "team/set"]);
        assert_eq!(read("100%"), ["100%"]);
        assert_eq!(read("a+b"), ["a+b"]);
        assert_eq!(read("%FF"), ["%FF"]);
        assert_eq!(read(" "), [""; 0]);
    }
}

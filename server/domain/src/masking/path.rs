//! Paths to values within JSON: `$.user.phone`, `$.items[*].card`, `$..password`.

use thiserror::Error;

use super::settings::MAX_PATTERN_BYTES;

const MAX_STEPS: usize = 32;

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// The member of that name.
    Key(String),
    /// Every member, every element.
    Any,
    /// Members of that name at any depth.
    Anywhere(String),
}

/// Which values are meant. Indexes of lists are no steps of their own but `[*]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path(Vec<Step>);

/// A path that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write a path like $.user.phone, $.items[*].card or $..password, with .. once at most")]
pub struct PathError;

/// Where a value stands: the key of each object around it, `None` within a list.
pub(super) type Place = [Option<String>];

impl Path {
    /// Reads it.
    ///
    /// # Errors
    /// When it is no such path.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let text = text.trim();
        if text.len() > MAX_PATTERN_BYTES || text.contains('\0') {
            return Err(PathError);
        }
        let mut rest = text.strip_prefix('$').ok_or(PathError)?;
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, after) = step(rest).ok_or(PathError)?;
            steps.push(step);
            rest = after;
        }
        // Of several the ways to read a place would multiply.
        let deep = |step: &&Step| matches!(step, Step::Anywhere(_));
        match (steps.len(), steps.iter().filter(deep).count()) {
            (1..=MAX_STEPS, 0 | 1) => Ok(Path(steps)),
            _ => Err(PathError),
        }
    }

    /// Whether it means the value at that place.
    pub(super) fn means(&self, place: &Place) -> bool {
        means(&self.0, place)
    }
}

fn step(rest: &str) -> Option<(Step, &str)> {
    if let Some(after) = rest.strip_prefix("[*]") {
        return Some((Step::Any, after));
    }
    if let Some(after) = rest.strip_prefix("['") {
        let (key, after) = after.split_once("']")?;
        return Some((Step::Key(key.to_owned()), after));
    }
    let deep = rest.strip_prefix("..");
    let after = deep.or_else(|| rest.strip_prefix('.'))?;
    let end = after.find(['.', '[']).unwrap_or(after.len());
    let (key, after) = after.split_at(end);
    let step = match (key, deep.is_some()) {
        ("", _) | ("*", true) => return None,
        ("*", false) => Step::Any,
        (key, true) => Step::Anywhere(key.to_owned()),
        (key, false) => Step::Key(key.to_owned()),
    };
    Some((step, after))
}

/// From the end, where most places differ already; depths are small.
fn means(steps: &[Step], place: &Place) -> bool {
    let Some((last, before)) = steps.split_last() else {
        return place.is_empty();
    };
    let Some((here, above)) = place.split_last() else {
        return false;
    };
    match last {
        Step::Any => means(before, above),
        Step::Key(key) => here.as_deref() == Some(key) && means(before, above),
        Step::Anywhere(key) => {
            here.as_deref() == Some(key)
                && (0..=above.len()).any(|depth| means(before, &above[..depth]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_mean_values() {
        let place = [Some("items".to_owned()), None, Some("card".to_owned())];
        for (path, is_meant) in [
            ("$.items[*].card", true),
            ("$..card", true),
            ("$.items..card", true),
            ("$.*[*].card", true),
            ("$['items'][*]['card']", true),
            ("$.items.card", false),
            ("$.items", false),
            ("$..items", false),
            ("$.other..card", false),
        ] {
            assert_eq!(Path::parse(path).unwrap().means(&place), is_meant, "{path}");
        }
        for bad in [
            "", "$", "a.b", "$.", "$..", "$..*", "$[0]", "$.a[", "$.a..[*]", "$..a..b",
        ] {
            assert_eq!(Path::parse(bad), Err(PathError), "{bad}");
        }
    }
}

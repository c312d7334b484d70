use serde_json::Value as Json;

/// A place in a JSON document: `$.answer.items[0].id`; the `$` may be left out, and a name with other signs stands in
/// brackets and quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonPath {
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Name(String),
    Place(usize),
}

impl JsonPath {
    /// Reads a path.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        let mut rest = text.strip_prefix('$').unwrap_or(text);
        let mut steps = Vec::new();
        let mut is_first = rest.len() == text.len();
        while !rest.is_empty() {
            let step;
            (step, rest) = match rest.strip_prefix('[') {
                Some(inside) => bracket(inside)?,
                None => name(rest, is_first)?,
            };
            steps.push(step);
            is_first = false;
        }
        match steps.is_empty() {
            true => Err("name a place such as $.answer.items[0]"),
            false => Ok(JsonPath { steps }),
        }
    }

    /// Whether a document has something there; null is something.
    pub fn is_in(&self, document: &Json) -> bool {
        let mut here = Some(document);
        for step in &self.steps {
            here = match (here, step) {
                (Some(Json::Object(fields)), Step::Name(name)) => fields.get(name),
                (Some(Json::Array(items)), Step::Place(place)) => items.get(*place),
                _ => None,
            };
        }
        here.is_some()
    }
}

fn bracket(inside: &str) -> Result<(Step, &str), &'static str> {
    const OPEN: &str = "a bracket is not closed";
    for quote in ['\'', '"'] {
        if let Some(quoted) = inside.strip_prefix(quote) {
            let (name, rest) = quoted.split_once(quote).ok_or(OPEN)?;
            let rest = rest.strip_prefix(']').ok_or(OPEN)?;
            return Ok((Step::Name(name.to_owned()), rest));
        }
    }
    let (number, rest) = inside.split_once(']').ok_or(OPEN)?;
    let place = number.parse();
    let place = place.map_err(|_| "brackets hold a number from 0 on, or a name in quotes")?;
    Ok((Step::Place(place), rest))
}

fn name(rest: &str, is_first: bool) -> Result<(Step, &str), &'static str> {
    let rest = match rest.strip_prefix('.') {
        Some(after) => after,
        None if is_first => rest,
        None => return Err("names are told apart by dots"),
    };
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    match end {
        0 => Err("a name is missing"),
        _ => Ok((Step::Name(rest[..end].to_owned()), &rest[end..])),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_path_finds_names_and_places() {
        let document = json!({"a": {"b c": [1, {"d": null}]}, "e.f": 1});
        let finds = |text: &str| JsonPath::parse(text).unwrap().is_in(&document);
        assert!(
            finds("$.a") && finds("a.b c[1].d") && finds("$['e.f']") && finds("$.a[\"b c\"][0]")
        );
        assert!(!finds("$.b") && !finds("a[0]") && !finds("a.b c[2]") && !finds("a.b c.0"));
    }

    #[test]
    fn what_is_no_path_is_told() {
        for wrong in [
            "", "$", "a..b", "a[", "a[x]", "a[-1]", "a['b", "$a", "a[0]b",
        ] {
            assert!(JsonPath::parse(wrong).is_err(), "{wrong}");
        }
    }
}

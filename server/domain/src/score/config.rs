//! What scores of a name may be, as a project set it.

use serde::{Deserialize, Serialize};

use super::{DataType, MAX_TEXT_CHARS, ScoreValue, Sent};
use crate::fault::Fault;
use crate::ids::ScoreConfigId;
use crate::time::Timestamp;

/// Longest name, in characters.
pub const MAX_NAME_CHARS: usize = 35;
/// Longest description, in characters.
pub const MAX_DESCRIPTION_CHARS: usize = 5_000;
/// Most categories, and longest label in characters.
pub const MAX_CATEGORIES: usize = 500;

/// A label and the number that stands for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Category {
    /// The label.
    pub label: String,
    /// Its number, finite.
    pub value: f64,
}

/// What values there are.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Numbers, both ends included where they are set.
    Numeric {
        /// Least.
        min: Option<f64>,
        /// Greatest.
        max: Option<f64>,
    },
    /// One of some labels, in the order in which they are offered.
    Categorical(Vec<Category>),
    /// Yes or no.
    Boolean,
    /// Free words.
    Text,
}

/// What somebody sets.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreConfigDraft {
    /// Name of the scores, 1 to [`MAX_NAME_CHARS`] characters.
    pub name: String,
    /// What values there are.
    pub scale: Scale,
    /// How to judge, in words.
    pub description: Option<String>,
    /// Whether new scores may no longer follow it.
    pub is_archived: bool,
}

/// A configuration of a project.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreConfig {
    /// Its id.
    pub id: ScoreConfigId,
    /// What was set.
    pub draft: ScoreConfigDraft,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

impl Scale {
    /// What kind of values they are.
    pub fn data_type(&self) -> DataType {
        match self {
            Scale::Numeric { .. } => DataType::Numeric,
            Scale::Categorical(_) => DataType::Categorical,
            Scale::Boolean => DataType::Boolean,
            Scale::Text => DataType::Text,
        }
    }

    /// The labels with their numbers; `None` where there are none.
    pub fn categories(&self) -> Option<Vec<Category>> {
        let category = |label: &str, value| Category {
            label: label.to_owned(),
            value,
        };
        match self {
            Scale::Categorical(categories) => Some(categories.clone()),
            Scale::Boolean => Some(vec![category("True", 1.0), category("False", 0.0)]),
            Scale::Numeric { .. } | Scale::Text => None,
        }
    }
}

impl ScoreConfigDraft {
    /// Checks what was set.
    ///
    /// # Errors
    /// `invalid` on the field that is wrong, by its name in Langfuse's API.
    pub fn check(&self) -> Result<(), Fault> {
        let name = self.name.chars().count();
        if !(1..=MAX_NAME_CHARS).contains(&name) {
            return Err(wrong("name", "must have 1 to 35 characters"));
        }
        check_text("name", &self.name)?;
        if let Some(description) = &self.description {
            if description.chars().count() > MAX_DESCRIPTION_CHARS {
                return Err(wrong("description", "must have at most 5000 characters"));
            }
            check_text("description", description)?;
        }
        match &self.scale {
            Scale::Numeric {
                min: Some(min),
                max: Some(max),
            } if min >= max => Err(wrong("maxValue", "must be greater than minValue")),
            Scale::Categorical(categories) => check_categories(categories),
            Scale::Numeric { .. } | Scale::Boolean | Scale::Text => Ok(()),
        }
    }
}

fn check_categories(categories: &[Category]) -> Result<(), Fault> {
    if categories.is_empty() || categories.len() > MAX_CATEGORIES {
        return Err(wrong("categories", "give 1 to 500 categories"));
    }
    for (at, category) in categories.iter().enumerate() {
        let label = category.label.chars().count();
        if !(1..=MAX_CATEGORIES).contains(&label) {
            return Err(wrong("categories", "labels must have 1 to 500 characters"));
        }
        check_text("categories", &category.label)?;
        let others = || categories.iter().take(at);
        if others().any(|other| other.label == category.label) {
            let message = format!("the label {:?} stands there twice", category.label);
            return Err(wrong("categories", &message));
        }
        #[expect(clippy::float_cmp, reason = "the same number was written twice")]
        if others().any(|other| other.value == category.value) {
            let message = format!("the value {} stands there twice", category.value);
            return Err(wrong("categories", &message));
        }
    }
    Ok(())
}

fn check_text(field: &str, text: &str) -> Result<(), Fault> {
    if text.contains('\0') {
        return Err(wrong(field, "must not hold NUL characters"));
    }
    Ok(())
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(format!("{field} {why}")).on_field(field)
}

/// Why a score does not follow its configuration: the field, and words.
pub type Refusal = (&'static str, String);

impl ScoreConfig {
    /// Makes a score what the configuration says: its name, the number of its label, its type where
    /// none was told.
    ///
    /// # Errors
    /// When it does not follow it.
    pub fn apply(&self, sent: &mut Sent) -> Result<(), Refusal> {
        let ScoreConfigDraft {
            name,
            scale,
            is_archived,
            ..
        } = &self.draft;
        if *is_archived {
            let message = format!("the configuration {} is archived", self.id);
            return Err(("configId", message));
        }
        let score = &mut sent.score;
        if !sent.typed {
            score.value = read_as(
                scale,
                std::mem::replace(&mut score.value, ScoreValue::Boolean(false)),
            );
        }
        let (expected, given) = (scale.data_type(), score.value.data_type());
        if expected != given {
            let (expected, given) = (expected.as_str(), given.as_str());
            let message = format!("is {given}, but the configuration says {expected}");
            return Err(("dataType", message));
        }
        match (scale, &mut score.value) {
            (Scale::Numeric { min, max }, ScoreValue::Numeric(number)) => {
                if min.is_some_and(|min| *number < min) {
                    return Err(("value", format!("{number} is less than the least value")));
                }
                if max.is_some_and(|max| *number > max) {
                    let message = format!("{number} is greater than the greatest value");
                    return Err(("value", message));
                }
            }
            (Scale::Categorical(categories), ScoreValue::Categorical { label, number }) => {
                let known = categories.iter().find(|known| known.label == *label);
                let known = known
                    .ok_or_else(|| ("value", format!("{label:?} is none of the categories")))?;
                *number = known.value;
            }
            _ => {}
        }
        score.name.clone_from(name);
        Ok(())
    }
}

/// A value whose type was not told, as one of the scale.
fn read_as(scale: &Scale, value: ScoreValue) -> ScoreValue {
    match (scale, value) {
        (Scale::Boolean, ScoreValue::Numeric(0.0)) => ScoreValue::Boolean(false),
        (Scale::Boolean, ScoreValue::Numeric(1.0)) => ScoreValue::Boolean(true),
        (Scale::Text, ScoreValue::Categorical { label, .. })
            if label.chars().count() <= MAX_TEXT_CHARS =>
        {
            ScoreValue::Text(label)
        }
        (_, value) => value,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use uuid::Uuid;

    use super::*;
    use crate::score::{Score, ScoreSource, Target};

    fn config(scale: Scale) -> ScoreConfig {
        ScoreConfig {
            id: ScoreConfigId(Uuid::from_u128(1)),
            draft: ScoreConfigDraft {
                name: "its name".to_owned(),
                scale,
                description: None,
                is_archived: false,
            },
            created_at: Timestamp::EPOCH,
            updated_at: Timestamp::EPOCH,
        }
    }

    fn categories() -> Vec<Category> {
        let category = |label: &str, value| Category {
            label: label.to_owned(),
            value,
        };
        vec![category("good", 2.0), category("bad", -1.0)]
    }

    fn applied(scale: &Scale, value: &Json, data_type: Option<DataType>) -> Result<Score, Refusal> {
        let mut sent = Sent {
            typed: data_type.is_some(),
            score: Score {
                id: "s".to_owned(),
                target: Target::Session("s".to_owned()),
                name: "another name".to_owned(),
                value: ScoreValue::read(value, data_type).unwrap(),
                source: ScoreSource::Api,
                time: Timestamp::EPOCH,
                environment: "default".to_owned(),
                comment: None,
                metadata: String::new(),
                config_id: None,
                queue_id: None,
                author_id: None,
                execution_trace_id: None,
            },
        };
        config(scale.clone()).apply(&mut sent)?;
        Ok(sent.score)
    }

    #[test]
    fn a_score_takes_what_the_configuration_says() {
        let range = Scale::Numeric {
            min: Some(0.0),
            max: Some(1.0),
        };
        for edge in [0, 1] {
            assert_eq!(
                applied(&range, &json!(edge), None).unwrap().name,
                "its name"
            );
        }
        for outside in [json!(-0.1), json!(1.1)] {
            assert_eq!(applied(&range, &outside, None).unwrap_err().0, "value");
        }
        let labels = Scale::Categorical(categories());
        let good = applied(&labels, &json!("good"), None).unwrap();
        assert!((good.value.number() - 2.0).abs() < f64::EPSILON);
        assert_eq!(
            applied(&labels, &json!("fine"), None).unwrap_err().0,
            "value"
        );
        let typed = applied(&range, &json!("x"), Some(DataType::Text));
        assert_eq!(typed.unwrap_err().0, "dataType");
    }

    #[test]
    fn a_type_that_was_not_told_is_the_configurations() {
        let yes = applied(&Scale::Boolean, &json!(1), None).unwrap();
        assert_eq!(yes.value, ScoreValue::Boolean(true));
        assert!(applied(&Scale::Boolean, &json!(2), None).is_err());
        assert!(applied(&Scale::Boolean, &json!(1), Some(DataType::Numeric)).is_err());
        let words = applied(&Scale::Text, &json!("words"), None).unwrap();
        assert_eq!(words.value, ScoreValue::Text("words".to_owned()));
        assert!(applied(&Scale::Text, &json!("x".repeat(501)), None).is_err());
    }

    #[test]
    fn nothing_follows_what_is_archived() {
        let mut archived = config(Scale::Text);
        archived.draft.is_archived = true;
        let mut score =
            applied(&Scale::Text, &json!("x"), None).map(|score| Sent { score, typed: true });
        let refused = archived.apply(score.as_mut().unwrap()).unwrap_err();
        assert_eq!(refused.0, "configId");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let field_of = |change: fn(&mut ScoreConfigDraft)| {
            let mut draft = config(Scale::Text).draft;
            change(&mut draft);
            draft.check().err().and_then(|fault| fault.field)
        };
        let named = |field: &str| Some(field.to_owned());
        assert_eq!(field_of(|_| {}), None);
        assert_eq!(field_of(|draft| draft.name.clear()), named("name"));
        assert_eq!(field_of(|draft| draft.name = "x".repeat(36)), named("name"));
        assert_eq!(field_of(|draft| draft.name.push('\0')), named("name"));
        let range = |min, max| Scale::Numeric { min, max };
        let mut draft = config(range(Some(1.0), Some(1.0))).draft;
        assert!(draft.check().is_err());
        draft.scale = range(Some(1.0), None);
        assert!(draft.check().is_ok());
        draft.scale = Scale::Categorical(Vec::new());
        assert!(draft.check().is_err());
        draft.scale = Scale::Categorical(categories());
        assert!(draft.check().is_ok());
        draft.scale = Scale::Categorical([categories(), categories()].concat());
        assert!(draft.check().is_err());
    }
}

//! What is asked, as a form asks it: every answer by a key. Zero, no and a label `0` are answers.

use domain::annotation::answer::Preference;
use domain::annotation::{Answer, Answers};
use domain::score::Scale;
use domain::{Code, Fault};
use service::annotation::queues::Asked;

use crate::content;
use crate::extract::Pairs;
use crate::format;
use crate::i18n::Lang;

/// Most steps of a range of numbers that are offered one by one.
const MOST_STEPS: f64 = 10.0;
/// Longest label that stands beside others.
const SHORT_CHARS: usize = 12;

/// Something that is asked.
#[derive(Clone, Debug)]
pub(crate) struct QuestionView {
    /// Its name in the form.
    pub(crate) name: String,
    pub(crate) title: String,
    /// How to judge, from its configuration.
    pub(crate) help: String,
    /// Beside the title: the range.
    pub(crate) note: String,
    pub(crate) input: Input,
    pub(crate) error: String,
}

/// How it is answered.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    /// One of some.
    Options {
        /// Which.
        options: Vec<OptionView>,
        /// Whether they stand side by side.
        in_a_row: bool,
    },
    /// A number.
    Number(String),
    /// Words.
    Words(String),
}

/// Something to choose.
#[derive(Clone, Debug)]
pub(crate) struct OptionView {
    /// The key that chooses it; empty after the tenth.
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) is_on: bool,
}

/// The form as it was sent, or as it was answered before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filled {
    values: Vec<(String, String)>,
    pub(crate) comment: String,
    pub(crate) correction: String,
    error: Option<(String, String)>,
}

impl Filled {
    /// What somebody answered before.
    pub(crate) fn of(answers: &Answers) -> Self {
        let values = answers.values.iter();
        Filled {
            values: values
                .map(|(question, answer)| (question.to_string(), answer.words()))
                .collect(),
            comment: answers.comment.clone().unwrap_or_default(),
            correction: answers.correction.clone().unwrap_or_default(),
            error: None,
        }
    }

    /// What was sent.
    pub(crate) fn posted(pairs: &Pairs, asked: &[Asked]) -> Self {
        let value = |asked: &Asked| {
            let name = asked.question.to_string();
            let value = pairs.get(&name).unwrap_or_default().to_owned();
            (name, value)
        };
        let text = |name| pairs.get(name).unwrap_or_default().replace("\r\n", "\n");
        Filled {
            values: asked.iter().map(value).collect(),
            comment: text("comment"),
            correction: text("correction"),
            error: None,
        }
    }

    /// With what was wrong; whether it is about one of the fields.
    pub(crate) fn with_fault(&mut self, fault: &Fault) -> bool {
        let Some(field) = fault.field.as_ref().filter(|_| fault.code == Code::Invalid) else {
            return false;
        };
        self.error = Some((field.clone(), fault.message.clone()));
        self.values.iter().any(|(name, _)| name == field)
            || ["comment", "correction"].contains(&field.as_str())
    }

    /// What was wrong with a field; empty when nothing was.
    pub(crate) fn error(&self, field: &str) -> String {
        let error = self.error.as_ref().filter(|(name, _)| name == field);
        error.map_or_else(String::new, |(_, why)| why.clone())
    }

    fn value(&self, name: &str) -> &str {
        let found = self.values.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.as_str())
    }

    /// As answers.
    ///
    /// # Errors
    /// `invalid` on the question that has no such answer.
    pub(crate) fn answers(&self, asked: &[Asked]) -> Result<Answers, Fault> {
        let filled = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
        let mut answers = Answers {
            comment: filled(&self.comment),
            // Blanks at its ends may be what is corrected.
            correction: (!self.correction.trim().is_empty()).then(|| self.correction.clone()),
            ..Answers::default()
        };
        for asked in asked {
            let name = asked.question.to_string();
            if let Some(answer) = read(asked, self.value(&name))
                .map_err(|why| Fault::invalid(why).on_field(name.clone()))?
            {
                answers.values.insert(asked.question.clone(), answer);
            }
        }
        Ok(answers)
    }
}

/// One answer; `None` for what was left open.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn read(asked: &Asked, text: &str) -> Result<Option<Answer>, String> {
    match (asked.scale(), text) {
        (Some(scale), text) => Answer::read(scale, text),
        (None, "") => Ok(None),
        (None, text) => match Preference::from_name(text) {
            Some(choice) => Ok(Some(Answer::Choice(choice))),
            None => Err(format!("{text:?} is none of both")),
        },
    }
}

impl QuestionView {
    /// Of what is asked, as it is filled in.
    pub(crate) fn new(asked: &Asked, filled: &Filled, lang: Lang) -> Self {
        let name = asked.question.to_string();
        let value = filled.value(&name);
        let draft = asked.config.as_ref().map(|config| &config.draft);
        QuestionView {
            title: draft.map_or_else(
                || lang.t("Which is better?").to_owned(),
                |draft| draft.name.clone(),
            ),
            help: draft
                .and_then(|draft| draft.description.as_deref())
                .map_or_else(String::new, content::preview),
            note: draft.map_or_else(String::new, |draft| note(&draft.scale, lang)),
            input: input(asked.scale(), value, lang),
            error: filled.error(&name),
            name,
        }
    }

    /// Whether the item is not done without an answer.
    pub(crate) fn is_required(&self) -> bool {
        !matches!(self.input, Input::Words(_))
    }

    /// Whether nothing was answered yet.
    pub(crate) fn is_open(&self) -> bool {
        match &self.input {
            Input::Options { options, .. } => !options.iter().any(|option| option.is_on),
            Input::Number(value) | Input::Words(value) => value.is_empty(),
        }
    }
}

fn note(scale: &Scale, lang: Lang) -> String {
    let number = |bound: f64| format::trimmed(bound, 4);
    match scale {
        Scale::Numeric {
            min: Some(min),
            max: Some(max),
        } => lang.fill("{} to {}", &[&number(*min), &number(*max)]),
        Scale::Numeric {
            min: Some(min),
            max: None,
        } => lang.fill("at least {}", &[&number(*min)]),
        Scale::Numeric {
            min: None,
            max: Some(max),
        } => lang.fill("at most {}", &[&number(*max)]),
        Scale::Text => lang.t("optional").to_owned(),
        _ => String::new(),
    }
}

fn input(scale: Option<&Scale>, value: &str, lang: Lang) -> Input {
    let choices: Vec<(String, String)> = match scale {
        None => vec![
            ("A".to_owned(), lang.t("A is better").to_owned()),
            ("B".to_owned(), lang.t("B is better").to_owned()),
            ("EQUAL".to_owned(), lang.t("Equal").to_owned()),
        ],
        Some(Scale::Boolean) => vec![
            ("1".to_owned(), lang.t("Yes").to_owned()),
            ("0".to_owned(), lang.t("No").to_owned()),
        ],
        Some(Scale::Categorical(categories)) => categories
            .iter()
            .map(|category| (category.label.clone(), category.label.clone()))
            .collect(),
        Some(Scale::Numeric { min, max }) => match steps(*min, *max) {
            Some(steps) => steps
                .into_iter()
                .map(|step| (step.to_string(), step.to_string()))
                .collect(),
            None => return Input::Number(value.to_owned()),
        },
        Some(Scale::Text) => return Input::Words(value.to_owned()),
    };
    let few = choices.len() <= 3;
    let in_a_row = few
        && choices
            .iter()
            .all(|(_, label)| label.chars().count() <= SHORT_CHARS);
    let options = choices
        .into_iter()
        .enumerate()
        .map(|(at, (own, label))| OptionView {
            key: match at {
                0..9 => (at + 1).to_string(),
                9 => "0".to_owned(),
                _ => String::new(),
            },
            is_on: own == value,
            value: own,
            label,
        });
    Input::Options {
        options: options.collect(),
        in_a_row,
    }
}

/// The whole numbers of a short range.
fn steps(min: Option<f64>, max: Option<f64>) -> Option<Vec<i64>> {
    let (min, max) = (min?, max?);
    let is_whole = |bound: f64| bound.fract().abs() < f64::EPSILON && bound.abs() < 1e9;
    if !is_whole(min) || !is_whole(max) || !(1.0..MOST_STEPS).contains(&(max - min)) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole numbers below 10⁹")]
    let (min, max) = (min as i64, max as i64);
    Some((min..=max).collect())
}

#[cfg(test)]
mod tests {
    use domain::annotation::Question;
    use domain::score::{ScoreConfig, ScoreConfigDraft};
    use domain::{ScoreConfigId, Timestamp};
    use uuid::Uuid;

    use super::*;

    fn asked(scale: Scale) -> Asked {
        let id = ScoreConfigId(Uuid::nil());
        Asked {
            question: Question::Config(id),
            config: Some(ScoreConfig {
                id,
                draft: ScoreConfigDraft {
                    name: "helpful".to_owned(),
                    scale,
                    description: None,
                    is_archived: false,
                },
                created_at: Timestamp::EPOCH,
                updated_at: Timestamp::EPOCH,
            }),
        }
    }

    #[test]
    fn what_was_answered_is_chosen_and_nought_is_an_answer() {
        let scale = Scale::Numeric {
            min: Some(-1.0),
            max: Some(1.0),
        };
        for (scale, value) in [(Scale::Boolean, "0"), (scale, "0")] {
            let asked = asked(scale);
            let pairs = format!("{}={value}&comment=+", asked.question);
            let filled = Filled::posted(
                &Pairs::parse(pairs.as_bytes()),
                std::slice::from_ref(&asked),
            );
            let view = QuestionView::new(&asked, &filled, Lang::En);
            assert!(!view.is_open());
            let answers = filled.answers(std::slice::from_ref(&asked)).unwrap();
            assert_eq!((answers.values.len(), answers.comment), (1, None));
        }
    }

    #[test]
    fn long_ranges_are_entered() {
        assert_eq!(steps(Some(1.0), Some(5.0)).map(|all| all.len()), Some(5));
        for (min, max) in [(0.0, 100.0), (0.0, 0.5), (1.5, 3.5)] {
            assert_eq!(steps(Some(min), Some(max)), None);
        }
        assert_eq!(steps(None, Some(5.0)), None);
    }
}

//! What answers should be.

use axum::extract::{RawPathParams, State};
use domain::quality::{QualityRule, QualityRuleDraft, RuleFormat};
use domain::{Fault, QualityRuleId};
use service::{App, quality_rules};

use super::page;
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::Field;
use crate::i18n::Lang;
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, see_other};
use crate::urls;

/// Fields of the form, as faults name them.
const FIELDS: &[&str] = &[
    "name",
    "span_name",
    "model",
    "prompt",
    "schema",
    "min_characters",
    "max_characters",
    "min_tokens",
    "max_tokens",
    "refusal_phrases",
    "instruction_tokens",
];

/// A rule.
pub(crate) struct RuleRow {
    pub(crate) name: String,
    /// Which calls it is for.
    pub(crate) calls: String,
    /// What it expects.
    pub(crate) expects: String,
    pub(crate) delete_url: String,
    pub(crate) dialog: String,
}

impl RuleRow {
    pub(super) fn new(reader: &Reader, rule: &QualityRule) -> Self {
        let draft = &rule.draft;
        RuleRow {
            name: draft.name.clone(),
            calls: calls(reader.lang(), draft),
            expects: expects(reader.lang(), draft),
            delete_url: urls::quality_rule_delete(reader.id(), rule.id),
            dialog: format!("delete-{}", rule.id),
        }
    }
}

fn calls(lang: Lang, draft: &QualityRuleDraft) -> String {
    let parts = [
        (lang.t("Span"), &draft.span_name),
        (lang.t("Model"), &draft.model),
        (lang.t("Prompt"), &draft.prompt),
    ];
    let parts = parts.into_iter().filter_map(|(what, pattern)| {
        let pattern = pattern.as_ref()?;
        Some(format!("{what} {pattern}"))
    });
    let all: Vec<String> = parts.collect();
    match all.is_empty() {
        true => lang.t("every answer").to_owned(),
        false => all.join(" · "),
    }
}

fn expects(lang: Lang, draft: &QualityRuleDraft) -> String {
    let mut all = Vec::new();
    match draft.format {
        Some(RuleFormat::Text) => all.push(lang.t("text").to_owned()),
        Some(RuleFormat::Json) => all.push("JSON".to_owned()),
        Some(RuleFormat::JsonSchema) => all.push(lang.t("JSON of a schema").to_owned()),
        None => {}
    }
    let range = |min: Option<u64>, max: Option<u64>| match (min, max) {
        (Some(min), Some(max)) => Some(format!("{min}–{max}")),
        (Some(min), None) => Some(format!("≥ {min}")),
        (None, Some(max)) => Some(format!("≤ {max}")),
        (None, None) => None,
    };
    let characters = range(draft.min_characters, draft.max_characters);
    all.extend(characters.map(|range| lang.fill("{} characters", &[&range])));
    let tokens = range(draft.min_tokens, draft.max_tokens);
    all.extend(tokens.map(|range| lang.fill("{} tokens", &[&range])));
    let count = |texts: &[String]| (!texts.is_empty()).then(|| texts.len().to_string());
    let phrases = count(&draft.refusal_phrases);
    all.extend(phrases.map(|count| lang.fill("phrases of refusal: {}", &[&count])));
    let tokens = count(&draft.instruction_tokens);
    all.extend(tokens.map(|count| lang.fill("control tokens: {}", &[&count])));
    all.join(" · ")
}

/// The form as it is filled in.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleForm {
    pub(crate) name: Field,
    pub(crate) span_name: Field,
    pub(crate) model: Field,
    pub(crate) prompt: Field,
    /// Name of the form that is asked for; empty: as the request says.
    pub(crate) format: String,
    pub(crate) schema: Field,
    pub(crate) min_characters: Field,
    pub(crate) max_characters: Field,
    pub(crate) min_tokens: Field,
    pub(crate) max_tokens: Field,
    pub(crate) refusal_phrases: Field,
    pub(crate) instruction_tokens: Field,
}

impl RuleForm {
    fn posted(pairs: &Pairs) -> Self {
        let field = |name| Field::holding(pairs.get(name).unwrap_or_default().trim());
        RuleForm {
            name: field("name"),
            span_name: field("span_name"),
            model: field("model"),
            prompt: field("prompt"),
            format: pairs.get("format").unwrap_or_default().to_owned(),
            schema: field("schema"),
            min_characters: field("min_characters"),
            max_characters: field("max_characters"),
            min_tokens: field("min_tokens"),
            max_tokens: field("max_tokens"),
            refusal_phrases: field("refusal_phrases"),
            instruction_tokens: field("instruction_tokens"),
        }
    }

    /// Whether that form is chosen.
    pub(crate) fn is(&self, format: &str) -> bool {
        self.format == format
    }

    fn fields_mut(&mut self) -> [(&'static str, &mut Field); 11] {
        [
            ("name", &mut self.name),
            ("span_name", &mut self.span_name),
            ("model", &mut self.model),
            ("prompt", &mut self.prompt),
            ("schema", &mut self.schema),
            ("min_characters", &mut self.min_characters),
            ("max_characters", &mut self.max_characters),
            ("min_tokens", &mut self.min_tokens),
            ("max_tokens", &mut self.max_tokens),
            ("refusal_phrases", &mut self.refusal_phrases),
            ("instruction_tokens", &mut self.instruction_tokens),
        ]
    }

    fn with_fault(mut self, fault: &Fault) -> Self {
        for (name, field) in self.fields_mut() {
            *field = std::mem::take(field).with_fault(name, fault);
        }
        self
    }

    fn draft(&self) -> Result<QualityRuleDraft, Fault> {
        let text = |field: &Field| (!field.value.is_empty()).then(|| field.value.clone());
        let count = |name: &str, field: &Field| match field.value.as_str() {
            "" => Ok(None),
            entered => entered
                .parse()
                .map(Some)
                .map_err(|_| Fault::invalid("give a whole number").on_field(name)),
        };
        let lines = |field: &Field| {
            let lines = field.value.lines().map(str::trim);
            lines
                .filter(|line| !line.is_empty())
                .map(str::to_owned)
                .collect()
        };
        Ok(QualityRuleDraft {
            name: self.name.value.clone(),
            span_name: text(&self.span_name),
            model: text(&self.model),
            prompt: text(&self.prompt),
            format: RuleFormat::from_name(&self.format),
            schema: text(&self.schema),
            min_characters: count("min_characters", &self.min_characters)?,
            max_characters: count("max_characters", &self.max_characters)?,
            min_tokens: count("min_tokens", &self.min_tokens)?,
            max_tokens: count("max_tokens", &self.max_tokens)?,
            refusal_phrases: lines(&self.refusal_phrases),
            instruction_tokens: lines(&self.instruction_tokens),
        })
    }
}

/// Sets one.
pub(crate) async fn create_quality_rule(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let form = RuleForm::posted(&pairs);
    let set = match form.draft() {
        Ok(draft) => quality_rules::create(&app, &entered.scope, draft).await,
        Err(fault) => Err(fault),
    };
    let Err(fault) = set else {
        return Ok(see_other(&urls::expectations(entered.id())));
    };
    let mut page = page(&app, &entered).await?;
    page.rule = form.with_fault(&fault);
    page.refused(fault, FIELDS)
}

/// Deletes one.
pub(crate) async fn delete_quality_rule(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let id: Option<QualityRuleId> = segment(&params, "rule").and_then(|id| id.parse().ok());
    quality_rules::delete(&app, &entered.scope, id.ok_or_else(no_such_page)?).await?;
    Ok(see_other(&urls::expectations(entered.id())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_phrase_and_what_is_no_number_is_named() {
        let draft = |body: &[u8]| RuleForm::posted(&Pairs::parse(body)).draft();
        let rule = draft(b"name=r&format=json&refusal_phrases=no+way%0D%0A%0D%0Anope&max_tokens=9");
        let rule = rule.unwrap();
        assert_eq!(rule.refusal_phrases, ["no way", "nope"]);
        assert_eq!(
            (rule.format, rule.max_tokens),
            (Some(RuleFormat::Json), Some(9))
        );
        assert_eq!(draft(b"name=r&format=").unwrap().format, None);
        let field = draft(b"min_tokens=-1").unwrap_err().field;
        assert_eq!(field.as_deref(), Some("min_tokens"));
    }
}

//! A new version, written by hand: of a new prompt, of one that there is, or as a copy.

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use domain::prompt::{
    Content, Draft, Kind, Label, Labels, Message, Prompt, PromptName, Selector, Tags,
};
use domain::{Code, Fault};
use http::StatusCode;
use serde_json::{Map, Value};
use service::App;
use service::prompts::{self, References};

use super::change::listed;
use super::content::{config, frame};
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::{Field, other_fault};
use crate::layout::{Frame, Shell};
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

/// Fields of the form, as faults name them.
const FIELDS: &[&str] = &[
    "name",
    "prompt",
    "config",
    "labels",
    "tags",
    "commitMessage",
];
/// Roles that a message may be given; any other word is kept.
const ROLES: [&str; 5] = ["system", "user", "assistant", "developer", "tool"];
/// The role of a place for messages that are known later.
const PLACEHOLDER: &str = "placeholder";

/// The form.
#[derive(Template)]
#[template(path = "prompts/editor.html")]
pub(crate) struct EditorPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) action: String,
    pub(crate) back_url: String,
    /// The version that it began with; empty of a prompt that is new.
    pub(crate) source: String,
    /// Whether it is the next version of a name, which is set then.
    pub(crate) is_next: bool,
    pub(crate) fault: String,
    pub(crate) called: Field,
    pub(crate) is_chat: bool,
    pub(crate) text: Field,
    pub(crate) messages: Vec<MessageFields>,
    pub(crate) config: Field,
    pub(crate) labels: Field,
    pub(crate) tags: Field,
    pub(crate) message: Field,
}

/// A message in the form.
pub(crate) struct MessageFields {
    pub(crate) content: String,
    /// Roles to choose from, and whether it has it.
    pub(crate) roles: Vec<(String, bool)>,
}

/// What a chat begins with that was made elsewhere.
pub(crate) struct Begun {
    /// Name and version that it was made from; `None`: the prompt is new.
    pub(crate) source: Option<(String, String)>,
    /// Roles with what they say.
    pub(crate) messages: Vec<(String, String)>,
    /// Config, as JSON.
    pub(crate) config: String,
}

/// What the form holds, as it was entered.
#[derive(Clone, Debug, Default)]
struct Entered {
    name: String,
    source: String,
    is_next: bool,
    is_chat: bool,
    text: String,
    messages: Vec<(String, String)>,
    config: String,
    labels: String,
    tags: String,
    message: String,
}

impl Entered {
    /// What stands in a version.
    fn of(prompt: &Prompt, is_next: bool) -> Self {
        let (is_chat, text, messages) = match &prompt.content {
            Content::Text(text) => (false, text.clone(), Vec::new()),
            Content::Chat(messages) => {
                let each = messages.iter().map(|message| match message {
                    Message::Said { role, content } => (role.clone(), content.clone()),
                    Message::Placeholder { name } => (PLACEHOLDER.to_owned(), name.clone()),
                });
                (true, String::new(), each.collect())
            }
        };
        Entered {
            name: match is_next {
                true => prompt.name.to_string(),
                false => format!("{} copy", prompt.name),
            },
            source: prompt.version.to_string(),
            is_next,
            is_chat,
            text,
            messages,
            config: config(&prompt.config),
            labels: String::new(),
            tags: prompt.tags.join(", "),
            message: String::new(),
        }
    }

    /// What was sent. Browsers send ends of lines as CR LF, whatever they were.
    fn sent(pairs: &Pairs) -> Self {
        let of = |name| pairs.get(name).unwrap_or_default().replace("\r\n", "\n");
        let (roles, contents) = (pairs.all("role"), pairs.all("content"));
        let messages = roles
            .zip(contents)
            .map(|(role, content)| (role.trim().to_owned(), content.replace("\r\n", "\n")));
        Entered {
            name: of("name"),
            source: of("source"),
            is_next: pairs.get("next") == Some("1"),
            is_chat: pairs.get("kind") == Some(Kind::Chat.as_str()),
            text: of("text"),
            messages: messages.collect(),
            config: of("config"),
            labels: of("labels"),
            tags: of("tags"),
            message: of("message"),
        }
    }

    /// As the other kind, with the words that are there.
    fn turned(mut self, to: Kind) -> Self {
        match (self.is_chat, to) {
            (false, Kind::Chat) => {
                let text = std::mem::take(&mut self.text);
                let said = Some(text).filter(|text| !text.is_empty());
                let said = said.map(|text| (ROLES[1].to_owned(), text));
                self.messages = said.into_iter().collect();
            }
            (true, Kind::Text) => {
                let said = self.messages.drain(..).map(|(_, content)| content);
                let said: Vec<String> = said.filter(|content| !content.is_empty()).collect();
                self.text = said.join("\n\n");
            }
            _ => {}
        }
        self.is_chat = to == Kind::Chat;
        self
    }

    fn draft(&self) -> Result<Draft, Fault> {
        let content = match self.is_chat {
            false => Content::Text(self.text.clone()),
            true => Content::Chat(self.said()),
        };
        let config = match self.config.trim() {
            "" => Value::Object(Map::new()),
            text => serde_json::from_str(text).map_err(|error| {
                Fault::invalid(format!("config is no JSON: {error}")).on_field("config")
            })?,
        };
        let on = |field: &'static str| move |fault: Fault| fault.on_field(field);
        let labels: Vec<&str> = listed(&self.labels).collect();
        let tags = Tags::parse(listed(&self.tags)).map_err(on("tags"))?;
        let message = self.message.trim();
        Ok(Draft {
            name: PromptName::parse(self.name.trim())?,
            content,
            config,
            labels: Labels::parse_moved("labels", &labels).map_err(on("labels"))?,
            // Of a name that there is, tags stay as they are: a form of theirs sets them.
            tags: (!self.is_next).then_some(tags),
            commit_message: (!message.is_empty()).then(|| message.to_owned()),
        })
    }

    /// Messages; those without any words, and that are no placeholder, fall away.
    fn said(&self) -> Vec<Message> {
        let filled = self
            .messages
            .iter()
            .filter(|(_, content)| !content.is_empty());
        filled
            .map(|(role, content)| match role.as_str() {
                PLACEHOLDER => Message::Placeholder {
                    name: content.trim().to_owned(),
                },
                role => Message::Said {
                    role: role.to_owned(),
                    content: content.clone(),
                },
            })
            .collect()
    }
}

impl EditorPage {
    fn new(reader: &Reader, entered: Entered, fault: Option<&Fault>) -> Self {
        let id = reader.id();
        let field = |value: &str, name: &str| match fault {
            Some(fault) => Field::holding(value).with_fault(name, fault),
            None => Field::holding(value),
        };
        let mut messages = entered.messages.clone();
        // There is always a place for one more.
        if messages
            .last()
            .is_none_or(|(_, content)| !content.is_empty())
        {
            let role = if messages.is_empty() {
                ROLES[0]
            } else {
                ROLES[1]
            };
            messages.push((role.to_owned(), String::new()));
        }
        let back = PromptName::parse(&entered.name).ok();
        EditorPage {
            shell: Frame::shell(reader),
            frame: frame(reader),
            list_url: urls::prompts(id),
            action: urls::prompt_new(id, &[]),
            back_url: match back.filter(|_| entered.is_next) {
                Some(name) => urls::prompt(id, &name),
                None => urls::prompts(id),
            },
            fault: fault
                .map(|fault| other_fault(fault, FIELDS))
                .unwrap_or_default(),
            called: field(&entered.name, "name"),
            text: field(&entered.text, "prompt"),
            config: field(&entered.config, "config"),
            labels: field(&entered.labels, "labels"),
            tags: field(&entered.tags, "tags"),
            message: field(&entered.message, "commitMessage"),
            is_chat: entered.is_chat,
            messages: messages
                .into_iter()
                .map(|(role, content)| MessageFields {
                    content,
                    roles: roles(&role),
                })
                .collect(),
            source: entered.source,
            is_next: entered.is_next,
        }
    }

    /// With a chat that was made elsewhere, to be looked at and saved.
    pub(crate) fn begun(reader: &Reader, begun: Begun) -> Self {
        let is_next = begun.source.is_some();
        let (name, source) = begun.source.unwrap_or_default();
        let entered = Entered {
            name,
            source,
            is_next,
            is_chat: true,
            messages: begun.messages,
            config: begun.config,
            ..Entered::default()
        };
        EditorPage::new(reader, entered, None)
    }

    /// For samples: as it opens on a version.
    pub(crate) fn of(reader: &Reader, prompt: &Prompt) -> Self {
        EditorPage::new(reader, Entered::of(prompt, true), None)
    }
}

fn roles(role: &str) -> Vec<(String, bool)> {
    let known = ROLES.into_iter().chain([PLACEHOLDER]);
    let mut roles: Vec<(String, bool)> = known
        .map(|known| (known.to_owned(), known == role))
        .collect();
    if !roles.iter().any(|(_, is_chosen)| *is_chosen) {
        roles.insert(0, (role.to_owned(), true));
    }
    roles
}

/// Shows the form: empty, with a version of the same name (`from=`), or with a copy (`copy=`).
pub(crate) async fn new_prompt(State(app): State<App>, entered: InProject, pairs: Pairs) -> Answer {
    entered
        .scope
        .require(domain::tenancy::Permission::ChangePrompts)?;
    let source = [("from", true), ("copy", false)]
        .into_iter()
        .find_map(|(param, is_next)| Some((pairs.filled(param)?, is_next)));
    let begun = match source {
        None => Entered {
            name: pairs.get("folder").unwrap_or_default().to_owned(),
            is_chat: pairs.get("kind") == Some(Kind::Chat.as_str()),
            ..Entered::default()
        },
        Some((name, is_next)) => {
            let name = PromptName::parse(name).map_err(|_| no_such_page())?;
            let version = pairs.filled("version").map(str::parse).transpose();
            let version = version.map_err(|_| no_such_page())?;
            let selector = version.map_or(Selector::Label(Label::latest()), Selector::Version);
            let scope = &entered.scope;
            let shown = prompts::show(&app, scope, &name, &selector, References::Keep).await?;
            Entered::of(&shown.prompt, is_next)
        }
    };
    Ok(render(&EditorPage::new(&entered.reader, begun, None)))
}

/// Makes the version.
pub(crate) async fn create_prompt(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let sent = Entered::sent(&pairs);
    if let Some(kind) = pairs.get("as") {
        let to = match kind == Kind::Chat.as_str() {
            true => Kind::Chat,
            false => Kind::Text,
        };
        let page = EditorPage::new(&entered.reader, sent.turned(to), None);
        return Ok(render(&page));
    }
    let made = match sent.draft() {
        Ok(draft) => prompts::create(&app, &entered.scope, draft).await,
        Err(fault) => Err(fault),
    };
    match made {
        Ok(prompt) => Ok(see_other(&urls::prompt(entered.id(), &prompt.name))),
        // A label that is protected is a fault of the form; a role that may not write is not.
        Err(fault)
            if matches!(fault.code, Code::Invalid | Code::Conflict)
                || (fault.code == Code::Forbidden && fault.field.is_some()) =>
        {
            let mut fault = fault;
            // Faults of messages name these one by one.
            if fault
                .field
                .as_deref()
                .is_some_and(|it| it.starts_with("prompt."))
            {
                fault.field = Some("prompt".to_owned());
            }
            let page = EditorPage::new(&entered.reader, sent, Some(&fault));
            Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
        }
        Err(fault) => Err(fault.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_outlasts_a_change_of_kind() {
        let sent = Entered::sent(&Pairs::parse(b"name=n&kind=text&text=Hello"));
        let chat = sent.turned(Kind::Chat);
        assert_eq!(chat.messages, [("user".to_owned(), "Hello".to_owned())]);
        let text = chat.turned(Kind::Text);
        assert_eq!((text.is_chat, text.text.as_str()), (false, "Hello"));
        assert_eq!(text.name, "n");
    }

    #[test]
    fn a_form_becomes_the_version_that_was_entered() {
        let sent = "name=team%2Fgreet&kind=chat&role=system&content=a%0D%0Ab&role=placeholder&content=history\
                    &role=user&content=&config=%7B%22model%22%3A%22m%22%7D&labels=staging%2C+canary&tags=x&message=+why+";
        let draft = Entered::sent(&Pairs::parse(sent.as_bytes()))
            .draft()
            .unwrap();
        let expected = vec![
            Message::Said {
                role: "system".to_owned(),
                content: "a\nb".to_owned(),
            },
            Message::Placeholder {
                name: "history".to_owned(),
            },
        ];
        assert_eq!(draft.content, Content::Chat(expected));
        assert_eq!(draft.commit_message.as_deref(), Some("why"));
        assert_eq!(draft.labels.iter().count(), 2);
        for (wrong, field) in [
            ("name=&kind=text", "name"),
            ("name=a&config=%7B", "config"),
            ("name=a&labels=Not+so", "labels"),
            ("name=a&labels=latest", "labels"),
        ] {
            let fault = Entered::sent(&Pairs::parse(wrong.as_bytes()))
                .draft()
                .unwrap_err();
            assert_eq!(fault.field.as_deref(), Some(field), "{wrong}");
        }
    }
}

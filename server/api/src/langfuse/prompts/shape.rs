//! A version of a prompt, and a name in the list.

use std::collections::BTreeMap;

use domain::prompt::{Content, Graph, Label, Message, Node, Prompt, Summary};
use serde::Serialize;
use serde_json::Value;
use service::prompts::Shown;

use crate::langfuse::time::Millis;

/// A version, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromptShape<'a> {
    id: String,
    created_at: Millis,
    updated_at: Millis,
    project_id: String,
    created_by: &'a str,
    name: &'a str,
    version: u32,
    r#type: &'static str,
    prompt: ContentShape<'a>,
    config: &'a Value,
    labels: Vec<&'a str>,
    tags: &'a [String],
    commit_message: Option<&'a str>,
    is_active: Option<bool>,
    resolution_graph: Option<GraphShape<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ContentShape<'a> {
    Text(&'a str),
    Chat(Vec<MessageShape<'a>>),
}

#[derive(Serialize)]
#[serde(untagged)]
enum MessageShape<'a> {
    Said { role: &'a str, content: &'a str },
    Placeholder { r#type: &'static str, name: &'a str },
}

#[derive(Serialize)]
struct GraphShape<'a> {
    root: NodeShape<'a>,
    dependencies: BTreeMap<String, Vec<NodeShape<'a>>>,
}

#[derive(Serialize)]
struct NodeShape<'a> {
    id: String,
    name: &'a str,
    version: u32,
}

/// A name in the list, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SummaryShape<'a> {
    name: &'a str,
    r#type: &'static str,
    versions: &'a [u32],
    labels: Vec<&'a str>,
    tags: &'a [String],
    last_updated_at: Millis,
    last_config: &'a Value,
}

impl<'a> PromptShape<'a> {
    /// A version with what stands in it.
    pub(crate) fn shown(shown: &'a Shown) -> Self {
        PromptShape {
            resolution_graph: shown.graph.as_ref().map(GraphShape::from),
            ..PromptShape::from(&shown.prompt)
        }
    }

    /// With the word of the first version of the API for the label `production`.
    pub(crate) fn with_activity(mut self) -> Self {
        self.is_active = Some(self.labels.contains(&Label::PRODUCTION));
        self
    }
}

impl<'a> From<&'a Prompt> for PromptShape<'a> {
    fn from(prompt: &'a Prompt) -> Self {
        PromptShape {
            id: prompt.id.to_string(),
            created_at: Millis(prompt.created_at),
            updated_at: Millis(prompt.updated_at),
            project_id: prompt.project_id.to_string(),
            created_by: &prompt.created_by,
            name: prompt.name.as_str(),
            version: prompt.version,
            r#type: prompt.content.kind().as_str(),
            prompt: ContentShape::from(&prompt.content),
            config: &prompt.config,
            labels: prompt.labels.iter().map(Label::as_str).collect(),
            tags: &prompt.tags,
            commit_message: prompt.commit_message.as_deref(),
            is_active: None,
            resolution_graph: None,
        }
    }
}

impl<'a> From<&'a Content> for ContentShape<'a> {
    fn from(content: &'a Content) -> Self {
        let message = |message: &'a Message| match message {
            Message::Said { role, content } => MessageShape::Said { role, content },
            Message::Placeholder { name } => MessageShape::Placeholder {
                r#type: "placeholder",
                name,
            },
        };
        match content {
            Content::Text(text) => ContentShape::Text(text),
            Content::Chat(messages) => ContentShape::Chat(messages.iter().map(message).collect()),
        }
    }
}

impl<'a> From<&'a Graph> for GraphShape<'a> {
    fn from(graph: &'a Graph) -> Self {
        let dependencies = graph.dependencies.iter().map(|(id, nodes)| {
            let nodes = nodes.iter().map(NodeShape::from).collect();
            (id.to_string(), nodes)
        });
        GraphShape {
            root: NodeShape::from(&graph.root),
            dependencies: dependencies.collect(),
        }
    }
}

impl<'a> From<&'a Node> for NodeShape<'a> {
    fn from(node: &'a Node) -> Self {
        NodeShape {
            id: node.id.to_string(),
            name: node.name.as_str(),
            version: node.version,
        }
    }
}

impl<'a> From<&'a Summary> for SummaryShape<'a> {
    fn from(summary: &'a Summary) -> Self {
        SummaryShape {
            name: summary.name.as_str(),
            r#type: summary.kind.as_str(),
            versions: &summary.versions,
            labels: summary.labels.iter().map(Label::as_str).collect(),
            tags: &summary.tags,
            last_updated_at: Millis(summary.updated_at),
            last_config: &summary.config,
        }
    }
}

//! Pages of prompts with made-up data.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::alert::cell::Cell;
use domain::alert::measure::RequestMeasure;
use domain::axes::{AxisValue, Codes, Column, Requests};
use domain::comment::{Comment, CommentDraft, CommentedKind};
use domain::prompt::{
    self, Content, Kind, Label, Message, Prompt, PromptName, Split, Summary, Tags, Variant, Version,
};
use domain::rollback::Policy;
use domain::{CommentId, Fault, Nanos, PromptId};
use serde_json::{Value, json};
use service::prompts::uses::Measured;
use service::prompts::{Dependent, Diff, Folder, Head as VersionHead, Shown, Told};
use service::rollback::{Answer, Shown as ShownPolicy};
use uuid::Uuid;

use super::data::now;
use super::{HOSTILE, Sample, rollback, sample};
use crate::extract::{Pairs, Reader};
use crate::pages::prompts::{
    Asked, CommentsPage, ComparePage, Compared, ContentPage, EditorPage, LabelsPage, Listed,
    MetricsPage, PromptQuery, PromptsPage, Standing,
};

/// All of them.
pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    made(reader).unwrap_or_default()
}

fn made(reader: &Reader) -> Result<Vec<Sample>, Fault> {
    let mut all = lists(reader)?;
    for (name, hostile) in [("prompt", false), ("prompt-overfull", true)] {
        all.extend(views(reader, name, hostile)?);
    }
    Ok(all)
}

fn pairs(text: &str) -> Pairs {
    Pairs::parse(text.as_bytes())
}

fn lists(reader: &Reader) -> Result<Vec<Sample>, Fault> {
    let empty = Listed {
        folders: Vec::new(),
        prompts: Vec::new(),
        total: 0,
        uses: Some(BTreeMap::new()),
    };
    let names = [
        "support.answer",
        "support.triage",
        "summary/daily",
        "a < b & \"'",
    ];
    let full = Listed {
        folders: vec![Folder {
            name: HOSTILE.replace('/', " "),
            prompts: 12,
        }],
        prompts: names.iter().filter_map(|name| summary(name)).collect(),
        total: 120,
        uses: Some(BTreeMap::from([(
            "support.answer".to_owned(),
            measured(420),
        )])),
    };
    let page =
        |address: &str, listed: &Listed| PromptsPage::new(reader, &pairs(address), listed, now());
    Ok(vec![
        sample("prompts", &page("", &full)?),
        sample("prompts-none", &page("", &empty)?),
        sample("prompts-no-match", &page("q=nothing", &empty)?),
        sample(
            "prompts-overfull",
            &page(
                &format!("q={}&tag=x&label=y&page=1", "long".repeat(40)),
                &full,
            )?,
        ),
    ])
}

fn summary(name: &str) -> Option<Summary> {
    Some(Summary {
        name: PromptName::parse(name).ok()?,
        kind: Kind::Chat,
        versions: (1..=18).collect(),
        labels: labels(&["latest", "production", "staging", "canary", "3"]),
        tags: Tags::from_stored(vec![HOSTILE.to_owned(), "support".to_owned()]),
        updated_at: now(),
        config: Value::Null,
    })
}

fn labels(names: &[&str]) -> Vec<Label> {
    names
        .iter()
        .filter_map(|name| Label::parse(name).ok())
        .collect()
}

fn measured(requests: u32) -> Measured {
    let many = |value: f64| {
        let mut cell = Cell::default();
        (0..requests).for_each(|at| cell.add(&Cell::of(value + f64::from(at % 9))));
        cell
    };
    BTreeMap::from([
        (RequestMeasure::Requests, many(1.0)),
        (RequestMeasure::E2eMs, many(1_200.0)),
        (RequestMeasure::Cost, many(0.0)),
    ])
}

fn prompt(reader: &Reader, version: u32, hostile: bool) -> Result<Prompt, Fault> {
    let said = |role: &str, content: String| Message::Said {
        role: role.to_owned(),
        content,
    };
    let rules: String = (1..=30)
        .map(|at| format!("{at}. Rule number {at} is kept.\n"))
        .collect();
    let more = if hostile { HOSTILE } else { "" };
    let begin = match version {
        18 => "You are the support assistant of {{tenant}}. Now: {{now}}.",
        _ => "You are the support assistant of {{tenant}}.",
    };
    let words = format!("{begin}\n\n{rules}4. Be brief: at most {version} words.\n{more}");
    let reference = "@@@langfusePrompt:name=support/tone|label=production@@@";
    Ok(Prompt {
        id: PromptId(Uuid::from_u128(u128::from(version))),
        project_id: reader.id(),
        name: PromptName::parse(if hostile {
            "team/<script/ümlaut &\"'"
        } else {
            "support.answer"
        })?,
        version,
        content: Content::Chat(vec![
            said("system", words),
            said("user", format!("{reference}\n{{{{question}}}}{more}")),
            Message::Placeholder {
                name: "history".to_owned(),
            },
        ]),
        config: json!({ "model": "qwen3-32b", "temperature": f64::from(version) / 100.0, "note": more }),
        labels: labels(&["production", "latest"]),
        tags: Tags::from_stored(vec!["support".to_owned(), more.to_owned()]),
        commit_message: Some(format!("Longer answers {more}").trim_end().to_owned()),
        created_by: "API".to_owned(),
        created_at: now().minus(Nanos::from_seconds(u64::from(40 - version) * 86_400)),
        updated_at: now(),
    })
}

fn standing(reader: &Reader, hostile: bool) -> Result<Standing, Fault> {
    let shown = prompt(reader, 18, hostile)?;
    let head = |version: u32| VersionHead {
        id: PromptId(Uuid::from_u128(u128::from(version))),
        version,
        labels: match version {
            18 => labels(&["latest", "canary"]),
            17 => labels(&["production"]),
            _ => Vec::new(),
        },
        commit_message: shown.commit_message.clone(),
        created_by: "API".to_owned(),
        created_at: now().minus(Nanos::from_seconds(u64::from(40 - version) * 86_400)),
    };
    Ok(Standing {
        versions: (1..=18).rev().map(head).collect(),
        uses: Some(BTreeMap::from([
            ("18".to_owned(), measured(120)),
            ("17".to_owned(), measured(300)),
        ])),
        authors: BTreeMap::new(),
        protected: labels(&["production"]),
        splits: vec![Split {
            label: Label::production(),
            control: 17,
            variants: [(17, 900), (18, 100)]
                .map(|(version, weight)| Variant { version, weight })
                .to_vec(),
            since: now(),
        }],
        comments: 2,
        shown,
    })
}

fn requests() -> Requests {
    let count = 400_u32;
    let column = |name: &str, of: fn(u32) -> f64| {
        let value = AxisValue::parse(name)?;
        let is_flag = value.is_flag();
        Some(Column::new(
            value,
            is_flag,
            (0..count).map(|at| Some(of(at))).collect(),
        ))
    };
    let columns = [
        column("token.e2e_ms", |at| {
            900.0 + f64::from(at % 40) * if at % 2 == 0 { 90.0 } else { 20.0 }
        }),
        column("token.kv_cache_hit_rate", |at| {
            if at % 2 == 0 { 0.07 } else { 0.8 }
        }),
        column("gpu.sm_active", |at| 0.6 + f64::from(at % 7) / 50.0),
        column("quality.format_valid", |at| {
            f64::from(u8::from(at % 30 != 0))
        }),
        column("errors", |at| f64::from(u8::from(at % 90 == 0))),
        column("cost", |_| 0.0021),
    ];
    Requests {
        starts: (0..count)
            .map(|at| now().minus(Nanos::from_seconds(u64::from(at))))
            .collect(),
        versions: Codes {
            names: vec![Arc::from("18"), Arc::from("17")],
            codes: (0..count).map(|at| at % 2).collect(),
        },
        columns: columns.into_iter().flatten().collect(),
        is_sample: true,
        ..Requests::default()
    }
}

fn compared(reader: &Reader, hostile: bool) -> Result<Compared, Fault> {
    let shown = |version| -> Result<Arc<Shown>, Fault> {
        let prompt = prompt(reader, version, hostile)?;
        Ok(Arc::new(Shown::new(prompt, None)))
    };
    let (old, new) = (shown(17)?, shown(18)?);
    let diff = Diff {
        from: 17,
        to: 18,
        changes: prompt::changes(Version::of(&old.prompt), Version::of(&new.prompt)),
        prefix: prompt::prefix(&old.prompt.content, &new.prompt.content, None),
    };
    Ok(Compared {
        diff: if hostile {
            Err(HOSTILE.to_owned())
        } else {
            Ok(diff)
        },
        requests: Some(requests()),
        old,
        new,
    })
}

fn views(reader: &Reader, name: &str, hostile: bool) -> Result<Vec<Sample>, Fault> {
    let standing = standing(reader, hostile)?;
    let query = |address: &str| PromptQuery::read(&pairs(address));
    let dependents = [Dependent {
        name: PromptName::parse("team/outer")?,
        version: 2,
    }];
    let unresolved = Err(HOSTILE.to_owned());
    let resolved = hostile.then_some(&unresolved);
    let content = query("")?;
    let metrics = query("tab=metrics")?;
    let comments = query("tab=comments")?;
    let both = compared(reader, hostile)?;
    let compare = |address: &str| -> Result<ComparePage, Fault> {
        Ok(ComparePage::new(
            reader,
            (&standing, &query(address)?),
            &both,
            now(),
        ))
    };
    Ok(vec![
        sample(
            name,
            &ContentPage::new(
                reader,
                (&standing, &content),
                (resolved, &dependents),
                now(),
            ),
        ),
        sample(&format!("{name}-compare"), &compare("tab=compare")?),
        sample(
            &format!("{name}-unified"),
            &compare("tab=compare&view=unified&ws=1&all=1")?,
        ),
        sample(
            &format!("{name}-metrics"),
            &MetricsPage::new(reader, (&standing, &metrics), Some(&requests()), now()),
        ),
        sample(
            &format!("{name}-unused"),
            &MetricsPage::new(reader, (&standing, &metrics), None, now()),
        ),
        sample(
            &format!("{name}-labels"),
            &labels_page(reader, &standing, hostile)?,
        ),
        sample(
            &format!("{name}-comments"),
            &CommentsPage::new(reader, (&standing, &comments), &[remark()], now()),
        ),
        sample(
            &format!("{name}-editor"),
            &EditorPage::of(reader, &standing.shown),
        ),
    ])
}

fn labels_page(reader: &Reader, standing: &Standing, hostile: bool) -> Result<LabelsPage, Fault> {
    let rollbacks: Vec<_> = rollback::suggested().into_iter().collect();
    let checks = rollbacks.first().map(|rollback| rollback.checks.clone());
    let asked = Asked {
        label: Label::production(),
        to: 16,
        from: Some(17),
        answer: Some(Answer {
            allowed: !hostile,
            checks: checks.unwrap_or_default(),
            applied: false,
            label: Label::production(),
            from_version: 17,
            rollback: None,
        }),
    };
    let told = |action: &str, before: Value, after: Value| Told {
        at: now(),
        actor: "server".to_owned(),
        action: action.to_owned(),
        before,
        after,
    };
    let at = |version: u32| json!({ "label": "production", "version": version });
    let history = [
        told(
            "prompt.created",
            Value::Null,
            json!({ "version": 18, "labels": ["latest"], "commit_message": HOSTILE }),
        ),
        told("prompt.label_moved", at(17), at(18)),
        told("prompt.label_removed", at(17), Value::Null),
        told("prompt.rollback", at(18), at(17)),
        told("prompt.rollback_undo", at(17), at(18)),
        told(
            "prompt.rollback_policy",
            Value::Null,
            json!({ "label": "production", "mode": "auto" }),
        ),
        told(
            "prompt.tagged",
            json!({ "tags": [] }),
            json!({ "tags": [HOSTILE] }),
        ),
        told(
            "prompt.deleted",
            json!({ "versions": [3], "all": false }),
            Value::Null,
        ),
        told(HOSTILE, Value::Null, Value::Null),
    ];
    let policy = ShownPolicy {
        policy: Policy::usual(Label::production()),
        set: Some(("person:nobody".to_owned(), now())),
    };
    let query = PromptQuery::read(&pairs("tab=labels"))?;
    let mut page = LabelsPage::new(
        reader,
        (standing, &query),
        (&[policy], Some(&asked), &[Some(requests())]),
        (&rollbacks, &history),
        now(),
    );
    page.head = page.head.with_fault(if hostile { HOSTILE } else { "" });
    Ok(page)
}

fn remark() -> Comment {
    Comment {
        id: CommentId(Uuid::from_u128(4)),
        draft: CommentDraft {
            kind: CommentedKind::Prompt,
            object_id: Uuid::from_u128(18).to_string(),
            content: HOSTILE.to_owned(),
            author: None,
        },
        created_at: now(),
        updated_at: now(),
    }
}

//! What is remarked on a span.

use domain::Span;
use domain::comment::{Comment, CommentDraft, CommentedKind, Remark};
use uuid::Uuid;

use super::{HOSTILE, members, now};
use crate::pages::spans::comments::Remarks;

/// Two remarks of people and one of a program; of a hostile span they are, too.
pub(in crate::samples) fn remarks(span: Option<&Span>) -> Remarks {
    let Some(span) = span else {
        return Remarks::default();
    };
    let people: Vec<_> = members().into_iter().map(|member| member.person).collect();
    let hostile = span.name == HOSTILE;
    let remark = |number: u128, kind, author: Option<usize>, words: &str| {
        let author = author.and_then(|at| people.get(at));
        let content = if hostile {
            HOSTILE.repeat(9)
        } else {
            words.to_owned()
        };
        Remark {
            comment: Comment {
                id: Uuid::from_u128(number).into(),
                draft: CommentDraft {
                    kind,
                    object_id: span.span_id.to_string(),
                    content,
                    author: author.map(|person| person.id),
                },
                created_at: now(),
                updated_at: now(),
            },
            author_name: author.map(|person| person.name.clone()),
            author_email: author.map(|person| person.email.clone()),
        }
    };
    let (span, trace) = (CommentedKind::Observation, CommentedKind::Trace);
    Remarks {
        list: vec![
            remark(
                1,
                span,
                Some(0),
                "@li.wei the schema is cut at 231 characters. Is it the limit of the guard?",
            ),
            remark(
                2,
                span,
                Some(1),
                "It is.\nRaised with the next release, @maya.",
            ),
            remark(3, trace, None, "ticket 4711 was opened"),
        ],
        people,
    }
}

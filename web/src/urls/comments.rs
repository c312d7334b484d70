//! Comments, and those that name the reader.

use domain::{CommentId, ProjectId, SpanId, TraceId};

use super::{trace, with_pairs};

/// Writes a comment on a trace or a span, and comes back to the span.
pub(crate) fn comments(project: ProjectId, (trace_id, span): (&TraceId, &SpanId)) -> String {
    let path = format!("{}/comments", trace(project, trace_id));
    with_pairs(&path, &[("span", span.as_str())])
}

/// Takes a comment back, and comes back to the span.
pub(crate) fn comment_delete(
    project: ProjectId,
    (trace_id, span): (&TraceId, &SpanId),
    comment: CommentId,
) -> String {
    let path = format!("{}/comments/{comment}/delete", trace(project, trace_id));
    with_pairs(&path, &[("span", span.as_str())])
}

/// Comments that name the reader.
pub(crate) fn mentions(project: ProjectId) -> String {
    format!("/p/{project}/mentions")
}

/// Leads to one of them.
pub(crate) fn mention(project: ProjectId, comment: CommentId) -> String {
    format!("{}/{comment}", mentions(project))
}

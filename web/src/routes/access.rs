//! What a page asks of whoever opens it, and of whoever sends its form: the one table of it. Services ask
//! again for whatever they change, where they know more of it.

use domain::tenancy::Permission;

/// A part of a project's pages.
struct Area {
    /// How its paths begin, after the project.
    path: &'static str,
    /// What it takes to see them.
    see: Permission,
    /// What it takes to send their forms.
    act: Permission,
}

const fn area(path: &'static str, see: Permission, act: Permission) -> Area {
    Area { path, see, act }
}

/// Of several that fit a path the longest counts. A path that none fits takes `Read`.
static AREAS: &[Area] = {
    use Permission::{
        Annotate, ChangeDashboards, ChangeDatasets, ChangePrompts, ChangeTelemetry, Enter,
        ManageConnections, ManageProject, ManageQueues, Read, ReadAuditLog, ReadCompliance,
        ReadMembers, ReadQueues, ReadTraces, RunModels, SetExpectations, SetPrices,
    };
    &[
        area("/account", Enter, Enter),
        area("/mentions", Enter, Enter),
        // Telemetry
        area("/delete", Read, ChangeTelemetry),
        area("/jobs", Read, ChangeDatasets),
        area("/media/{media}", ReadTraces, ReadTraces),
        area("/traces/{trace}", ReadTraces, ChangeTelemetry),
        area("/traces/{trace}/comments", ReadTraces, Annotate),
        area("/sessions/{session}", ReadTraces, Annotate),
        // Axes
        area("/incidents", Read, SetExpectations),
        area("/alerts", Read, SetExpectations),
        area("/alerts/channels", Read, ManageConnections),
        // What people make
        area("/dashboards", Read, ChangeDashboards),
        area("/prompts", Read, ChangePrompts),
        area("/prompt/", Read, ChangePrompts),
        area("/playground/run", Read, RunModels),
        area("/playground/prompt", Read, ChangePrompts),
        area("/playground/dataset", Read, ChangeDatasets),
        area("/datasets", Read, ChangeDatasets),
        area("/evaluators", Read, SetExpectations),
        area("/queues", ReadQueues, ManageQueues),
        area("/queues/add", Read, ManageQueues),
        area("/queues/{queue}/label", ReadQueues, Annotate),
        area("/queues/{queue}/items/{item}", ReadQueues, Annotate),
        area(
            "/queues/{queue}/items/{item}/decide",
            ReadQueues,
            ManageQueues,
        ),
        area("/queues/{queue}/export", Read, ChangeDatasets),
        // Settings
        area("/settings", Read, ManageProject),
        // What it takes in the organisation is asked there.
        area("/settings/projects", Read, Read),
        area("/settings/members", ReadMembers, ReadMembers),
        area("/settings/prices", Read, SetPrices),
        area("/settings/gpu-prices", Read, SetPrices),
        area("/settings/reprice", Read, SetPrices),
        area("/settings/topology", Read, SetExpectations),
        area("/settings/objectives", Read, SetExpectations),
        area("/settings/quality-rules", Read, SetExpectations),
        area("/settings/scores", Read, SetExpectations),
        area("/settings/scrape-targets", Read, ManageConnections),
        area("/settings/llm-connections", Read, ManageConnections),
        area(
            "/settings/llm-connections/{connection}/test",
            Read,
            RunModels,
        ),
        area("/settings/deletion", ReadCompliance, ManageProject),
        area("/settings/legal-holds", ReadCompliance, ManageProject),
        area("/settings/masking", ReadCompliance, ManageProject),
        area("/settings/retention", ReadCompliance, ManageProject),
        area("/settings/audit-log", ReadAuditLog, ReadAuditLog),
    ]
};

/// What a page takes; `path` is that of [`super::Page`].
pub(crate) fn needed(method: &str, path: &str) -> Permission {
    let in_project = ["/p/{project}", "/project/{project}"]
        .into_iter()
        .find_map(|start| path.strip_prefix(start))
        .unwrap_or_default();
    let fits = AREAS
        .iter()
        .filter(|area| in_project.starts_with(area.path));
    match fits.max_by_key(|area| area.path.len()) {
        None => Permission::Read,
        Some(area) if matches!(method, "GET" | "HEAD") => area.see,
        Some(area) => area.act,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_part_that_fits_counts_and_what_none_fits_is_read() {
        let list = "/p/{project}/traces";
        assert_eq!(needed("GET", list), Permission::Read);
        let comments = "/p/{project}/traces/{trace}/comments";
        assert_eq!(needed("GET", comments), Permission::ReadTraces);
        assert_eq!(needed("POST", comments), Permission::Annotate);
        let deletion = "/p/{project}/settings/deletions/{deletion}";
        assert_eq!(needed("HEAD", deletion), Permission::ReadCompliance);
        assert_eq!(needed("GET", "/p/{project}/new"), Permission::Read);
    }

    #[test]
    fn each_part_is_that_of_a_page() {
        for area in AREAS {
            let mut pages = super::super::all();
            let is_used = pages.any(|page| page.path.contains(area.path));
            assert!(is_used, "{}", area.path);
        }
    }
}

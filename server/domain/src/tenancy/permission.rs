//! Who may do what: [`Permission::holders`] is the one table of it.

use crate::span::named_enum;

named_enum!(
    /// What a member is, in the order of lists.
    Role, default Viewer {
        /// Everything, including giving the organisation away.
        Owner = "owner",
        /// Members, keys, projects, settings.
        Admin = "admin",
        /// Reads everything, changes telemetry (deletes traces).
        Member = "member",
        /// Reads.
        Viewer = "viewer",
        /// Judges what waits in queues: opens traces and sessions, writes scores and comments.
        Annotator = "annotator",
        /// Reads what tells how the rules are kept: audit log, deletions, settings of privacy, members.
        Auditor = "auditor",
        /// Nothing: belongs to the organisation, and enters only projects that give another role.
        None = "none",
    }
);

named_enum!(
    /// Something that not everybody may do.
    Permission, default Enter {
        /// Enter a project, and look after one's own account.
        Enter = "enter",
        /// See lists, numbers, settings and whatever people made.
        Read = "read",
        /// Open a trace, a session or an attachment.
        ReadTraces = "read_traces",
        /// See queues of things to be judged, and what was said of them.
        ReadQueues = "read_queues",
        /// See deletions with their certificates, and what is kept, masked and for how long.
        ReadCompliance = "read_compliance",
        /// See what must not be deleted.
        ReadLegalHolds = "read_legal_holds",
        /// See who is a member, and as what.
        ReadMembers = "read_members",
        /// Read, verify and export the audit log.
        ReadAuditLog = "read_audit_log",
        /// Judge what waits in queues, remark on things, add attachments.
        Annotate = "annotate",
        /// Make and fill queues of things to be judged, and say who judges them.
        ManageQueues = "manage_queues",
        /// Delete traces.
        ChangeTelemetry = "change_telemetry",
        /// Set prices of models, and price history anew.
        SetPrices = "set_prices",
        /// Set objectives, what is expected of answers, and what scores may be.
        SetExpectations = "set_expectations",
        /// Set and delete connections to providers of models and targets of scrapes, with their credentials.
        ManageConnections = "manage_connections",
        /// Make and delete versions of prompts, move their labels.
        ChangePrompts = "change_prompts",
        /// Make and change datasets and their items, link and delete runs.
        ChangeDatasets = "change_datasets",
        /// Name states of lists for all members.
        ShareViews = "share_views",
        /// Make, change and delete dashboards.
        ChangeDashboards = "change_dashboards",
        /// Send requests to models through the connections of the project, at its cost.
        RunModels = "run_models",
        /// Give, move and delete labels that are protected.
        MoveProtectedLabels = "move_protected_labels",
        /// Rename projects, make and revoke keys, invite and remove members.
        ManageProject = "manage_project",
        /// Make others owner, or take that from them.
        ManageOwners = "manage_owners",
    }
);

impl Permission {
    /// The roles that have it.
    pub fn holders(self) -> &'static [Role] {
        use Role::{Admin, Annotator, Auditor, Member, Owner, Viewer};
        match self {
            Permission::Enter => &[Owner, Admin, Member, Viewer, Annotator, Auditor],
            Permission::Read => &[Owner, Admin, Member, Viewer],
            Permission::ReadTraces | Permission::ReadQueues => {
                &[Owner, Admin, Member, Viewer, Annotator]
            }
            Permission::ReadCompliance | Permission::ReadMembers => {
                &[Owner, Admin, Member, Viewer, Auditor]
            }
            Permission::ReadLegalHolds | Permission::ReadAuditLog => &[Owner, Admin, Auditor],
            Permission::Annotate => &[Owner, Admin, Member, Annotator],
            Permission::ManageQueues
            | Permission::ChangeTelemetry
            | Permission::SetPrices
            | Permission::SetExpectations
            | Permission::ManageConnections
            | Permission::ChangePrompts
            | Permission::ChangeDatasets
            | Permission::ShareViews
            | Permission::ChangeDashboards
            | Permission::RunModels => &[Owner, Admin, Member],
            Permission::MoveProtectedLabels | Permission::ManageProject => &[Owner, Admin],
            Permission::ManageOwners => &[Owner],
        }
    }
}

impl Role {
    /// Whether a member of this role may do that.
    pub fn may(self, permission: Permission) -> bool {
        permission.holders().contains(&self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_owner_to_viewer_each_role_may_what_the_next_may() {
        let ladder = [Role::Owner, Role::Admin, Role::Member, Role::Viewer];
        for pair in ladder.windows(2) {
            for permission in Permission::ALL {
                assert!(pair[0].may(*permission) || !pair[1].may(*permission));
            }
        }
        assert!(!Role::Viewer.may(Permission::ChangeTelemetry));
        assert!(!Role::Admin.may(Permission::ManageOwners));
    }

    #[test]
    fn annotators_judge_and_auditors_look_and_neither_does_more() {
        let of = |role: Role| -> Vec<&str> {
            let may = Permission::ALL.iter().filter(|one| role.may(**one));
            may.map(|one| one.as_str()).collect()
        };
        assert_eq!(
            of(Role::Annotator),
            ["enter", "read_traces", "read_queues", "annotate"]
        );
        let audits = [
            "enter",
            "read_compliance",
            "read_legal_holds",
            "read_members",
            "read_audit_log",
        ];
        assert_eq!(of(Role::Auditor), audits);
        assert!(of(Role::None).is_empty());
    }
}

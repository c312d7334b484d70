//! The user that Postgres runs as when the server is root: Postgres refuses root.

use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};

/// A user without rights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) name: String,
    pub(crate) user: u32,
    pub(crate) group: u32,
}

impl Account {
    /// `postgres` when the machine has it, else `nobody`.
    pub(crate) fn unprivileged() -> Option<Self> {
        let users = std::fs::read_to_string("/etc/passwd").ok()?;
        ["postgres", "nobody"]
            .iter()
            .find_map(|name| Self::find(&users, name))
    }

    fn find(users: &str, name: &str) -> Option<Self> {
        let line = users
            .lines()
            .find(|line| line.split(':').next() == Some(name))?;
        let mut fields = line.split(':').skip(2);
        let user = fields.next()?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        Some(Account {
            name: name.to_owned(),
            user,
            group,
        })
    }

    /// Gives it a folder with everything in it.
    pub(crate) fn own(&self, path: &Path) -> std::io::Result<()> {
        let found = std::fs::symlink_metadata(path)?;
        if found.is_dir() {
            for entry in std::fs::read_dir(path)? {
                self.own(&entry?.path())?;
            }
        }
        if found.uid() == self.user || found.is_symlink() {
            return Ok(());
        }
        chown(path, Some(self.user), Some(self.group))
    }

    /// The first folder on the way to `path` that it cannot enter.
    pub(crate) fn barrier(&self, path: &Path) -> Option<PathBuf> {
        let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
        folders.reverse();
        let closed = folders.into_iter().find(|folder| {
            let Ok(found) = std::fs::metadata(folder) else {
                return false;
            };
            let enter = match (found.uid() == self.user, found.gid() == self.group) {
                (true, _) => 0o100,
                (false, true) => 0o010,
                (false, false) => 0o001,
            };
            found.mode() & enter == 0
        });
        closed.map(Path::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_found_by_its_whole_name() {
        let users = "nobody2:x:1:2::/:/bin/sh\nnobody:x:65534:65533:n:/:/usr/sbin/nologin\n";
        let expected = Account {
            name: "nobody".to_owned(),
            user: 65534,
            group: 65533,
        };
        assert_eq!(Account::find(users, "nobody"), Some(expected));
        assert_eq!(Account::find(users, "postgres"), None);
    }
}

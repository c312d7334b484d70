//! The folder with the bytes of attachments: `<project>/<two digits>/<checksum>`, and `incoming` for what
//! is not whole yet.
//!
//! **Invariant:** under its name a file is whole, checked and durable, whenever the server is killed: it is
//! written under another name, flushed and renamed.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use domain::ProjectId;
use domain::media::Checksum;
use tempfile::{NamedTempFile, TempPath};
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::task::spawn_blocking;

/// Nobody sends that long: what is older was left behind by a server that was killed.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 3_600);

/// The folder.
#[derive(Clone, Debug)]
pub(super) struct Files {
    folder: PathBuf,
}

/// A file that is not whole yet; gone when this is dropped.
pub(super) struct Incoming {
    file: File,
    path: TempPath,
}

impl Files {
    /// Opens the folder, makes it where it is absent, and clears away what was left behind.
    pub(super) async fn open(folder: PathBuf) -> io::Result<Self> {
        aside(move || {
            let files = Files { folder };
            std::fs::create_dir_all(files.incoming())?;
            for entry in std::fs::read_dir(files.incoming())? {
                let path = entry?.path();
                if is_left_behind(&path) {
                    std::fs::remove_file(&path)?;
                }
            }
            Ok(files)
        })
        .await
    }

    /// A new file.
    pub(super) async fn receive(&self) -> io::Result<Incoming> {
        let folder = self.incoming();
        aside(move || {
            let (file, path) = NamedTempFile::new_in(folder)?.into_parts();
            let file = File::from_std(file);
            Ok(Incoming { file, path })
        })
        .await
    }

    /// Gives a whole file its name; it is durable then.
    pub(super) async fn keep(
        &self,
        incoming: Incoming,
        project: ProjectId,
        checksum: &Checksum,
    ) -> io::Result<()> {
        let path = self.path(project, checksum);
        incoming.file.sync_all().await?;
        let root = self.folder.clone();
        aside(move || {
            let folder = path.parent().unwrap_or(&root).to_owned();
            std::fs::create_dir_all(&folder)?;
            incoming.path.persist(&path).map_err(|error| error.error)?;
            // A name lasts once its folder does, and that once its own folder does.
            for folder in folder
                .ancestors()
                .take_while(|path| path.starts_with(&root))
            {
                std::fs::File::open(folder)?.sync_all()?;
            }
            Ok(())
        })
        .await
    }

    /// Whether an attachment is there.
    pub(super) async fn has(&self, project: ProjectId, checksum: &Checksum) -> bool {
        tokio::fs::try_exists(self.path(project, checksum))
            .await
            .unwrap_or(false)
    }

    /// Opens an attachment to be read; `None` when it is not there.
    pub(super) async fn read(
        &self,
        project: ProjectId,
        checksum: &Checksum,
    ) -> io::Result<Option<File>> {
        match File::open(self.path(project, checksum)).await {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Deletes an attachment, if it is there.
    pub(super) async fn delete(&self, project: ProjectId, checksum: &Checksum) -> io::Result<()> {
        match tokio::fs::remove_file(self.path(project, checksum)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Deletes all attachments of a project.
    pub(super) async fn delete_all(&self, project: ProjectId) -> io::Result<()> {
        match tokio::fs::remove_dir_all(self.of_project(project)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn incoming(&self) -> PathBuf {
        self.folder.join("incoming")
    }

    /// Made of digits alone: nothing that a client sends gets into a path as it is.
    fn path(&self, project: ProjectId, checksum: &Checksum) -> PathBuf {
        let name = checksum.to_hex();
        self.of_project(project).join(&name[..2]).join(name)
    }

    fn of_project(&self, project: ProjectId) -> PathBuf {
        self.folder.join(project.to_string())
    }
}

impl Incoming {
    /// Adds some bytes.
    pub(super) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).await
    }

    /// Hands over to the system what was written.
    pub(super) async fn flush(&mut self) -> io::Result<()> {
        self.file.flush().await
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "ages of files are told by the machine's clock"
)]
fn is_left_behind(path: &Path) -> bool {
    let modified = std::fs::metadata(path).and_then(|about| about.modified());
    let age = modified.map(|then| SystemTime::now().duration_since(then));
    age.is_ok_and(|age| age.is_ok_and(|age| age > LEFT_BEHIND))
}

async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    spawn_blocking(work).await.map_err(io::Error::other)?
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn a_file_has_its_name_once_it_is_kept_and_leaves_nothing_when_it_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path().join("media")).await.unwrap();
        let (project, checksum) = (ProjectId(Uuid::nil()), Checksum::new([1; 32]));
        let mut incoming = files.receive().await.unwrap();
        incoming.write(b"whole").await.unwrap();
        assert!(!files.has(project, &checksum).await);
        incoming.flush().await.unwrap();
        files.keep(incoming, project, &checksum).await.unwrap();
        let mut read = String::new();
        let file = files.read(project, &checksum).await.unwrap();
        file.unwrap().read_to_string(&mut read).await.unwrap();
        assert_eq!(read, "whole");
        let mut given_up = files.receive().await.unwrap();
        given_up.write(b"half").await.unwrap();
        drop(given_up);
        assert_eq!(std::fs::read_dir(files.incoming()).unwrap().count(), 0);
        files.delete(project, &checksum).await.unwrap();
        files.delete(project, &checksum).await.unwrap();
        assert!(files.read(project, &checksum).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn the_files_of_a_project_go_and_those_of_another_stay() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path().join("media")).await.unwrap();
        let checksum = Checksum::new([1; 32]);
        let (gone, other) = (ProjectId(Uuid::nil()), ProjectId(Uuid::max()));
        for project in [gone, other] {
            let mut incoming = files.receive().await.unwrap();
            incoming.write(b"whole").await.unwrap();
            incoming.flush().await.unwrap();
            files.keep(incoming, project, &checksum).await.unwrap();
        }
        for _ in 0..2 {
            files.delete_all(gone).await.unwrap();
            assert!(!files.has(gone, &checksum).await);
        }
        assert!(files.has(other, &checksum).await);
    }
}

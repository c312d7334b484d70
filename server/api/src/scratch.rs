//! Texts that are written in one order and read back in another: small ones stay in memory, large ones
//! wait in a file, so that the memory of an answer does not depend on its size.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::task::spawn_blocking;

/// What is kept in memory.
const MEMORY_BYTES: usize = 4 << 20;
/// Most bytes of all texts together.
const MOST_BYTES: u64 = 8 << 30;

/// Where a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    at: u64,
    bytes: u64,
}

/// Takes texts.
pub(crate) struct Scratch {
    folder: PathBuf,
    memory: Vec<u8>,
    memory_bytes: usize,
    file: Option<Arc<File>>,
    written: u64,
}

/// Gives them back.
pub(crate) enum Kept {
    Memory(Vec<u8>),
    File(Arc<File>),
}

impl Scratch {
    /// With files in a folder that exists.
    pub(crate) fn within(folder: PathBuf) -> Self {
        Scratch {
            folder,
            memory: Vec::new(),
            memory_bytes: MEMORY_BYTES,
            file: None,
            written: 0,
        }
    }

    /// Adds a text.
    ///
    /// # Errors
    /// When the disk refuses; `FileTooLarge` beyond eight gibibytes.
    pub(crate) async fn write(&mut self, text: &[u8]) -> io::Result<Place> {
        let place = Place {
            at: self.written,
            bytes: text.len() as u64,
        };
        if place.at + place.bytes > MOST_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.memory.extend_from_slice(text);
        self.written += place.bytes;
        if self.memory.len() >= self.memory_bytes {
            self.flush().await?;
        }
        Ok(place)
    }

    /// All is written.
    pub(crate) async fn finish(mut self) -> io::Result<Kept> {
        if self.file.is_none() {
            return Ok(Kept::Memory(self.memory));
        }
        self.flush().await?;
        self.file
            .map(Kept::File)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    async fn flush(&mut self) -> io::Result<()> {
        let (file, folder) = (self.file.clone(), self.folder.clone());
        let memory = std::mem::take(&mut self.memory);
        let work = move || {
            // Without a name: it is gone with its last user, however that ends.
            let file = match file {
                Some(file) => file,
                None => Arc::new(tempfile::tempfile_in(folder)?),
            };
            (&*file).write_all(&memory)?;
            Ok::<_, io::Error>((file, memory))
        };
        let (file, mut memory) = spawn_blocking(work).await.map_err(io::Error::other)??;
        memory.clear();
        self.memory = memory;
        self.file = Some(file);
        Ok(())
    }
}

impl Kept {
    /// The texts of some places.
    ///
    /// # Errors
    /// When the disk refuses.
    pub(crate) async fn read(&self, places: Vec<Place>) -> io::Result<Vec<Vec<u8>>> {
        match self {
            Kept::Memory(memory) => places.iter().map(|place| within(memory, *place)).collect(),
            Kept::File(file) => {
                let file = Arc::clone(file);
                let read = move |place: Place| {
                    let bytes = usize::try_from(place.bytes).map_err(io::Error::other)?;
                    let mut text = vec![0; bytes];
                    file.read_exact_at(&mut text, place.at)?;
                    Ok(text)
                };
                let work = move || places.into_iter().map(read).collect();
                spawn_blocking(work).await.map_err(io::Error::other)?
            }
        }
    }
}

impl Place {
    /// Length of the text.
    pub(crate) fn bytes(self) -> u64 {
        self.bytes
    }
}

fn within(memory: &[u8], place: Place) -> io::Result<Vec<u8>> {
    let range = usize::try_from(place.at).ok().and_then(|at| {
        let end = at.checked_add(usize::try_from(place.bytes).ok()?)?;
        memory.get(at..end)
    });
    let text = range.ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok(text.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn round_trip(memory_bytes: usize) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let mut scratch = Scratch {
            memory_bytes,
            ..Scratch::within(folder.path().to_owned())
        };
        let texts: Vec<String> = (0..100)
            .map(|n| "x".repeat(n % 7) + &n.to_string())
            .collect();
        let mut places = Vec::new();
        for text in &texts {
            places.push(scratch.write(text.as_bytes()).await.unwrap());
        }
        let kept = scratch.finish().await.unwrap();
        places.reverse();
        let read = kept.read(places).await.unwrap();
        let read: Vec<String> = read
            .into_iter()
            .rev()
            .map(|text| String::from_utf8(text).unwrap())
            .collect();
        assert_eq!(read, texts);
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            0,
            "a file has a name"
        );
        matches!(kept, Kept::File(_))
    }

    #[tokio::test]
    async fn texts_come_back_in_any_order_from_memory_and_from_a_file() {
        assert!(!round_trip(1 << 20).await);
        assert!(round_trip(16).await);
        assert!(round_trip(1).await);
    }
}

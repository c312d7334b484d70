//! What attachments may be, and which of them a browser may show.
//!
//! **Invariant:** what can run or pretend to be a page (HTML, SVG, XML, scripts, styles) is a file: it is
//! given for download, never shown.

/// How a browser shows an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// As a picture.
    Image,
    /// As a sound.
    Audio,
    /// As a film.
    Video,
    /// Not at all: it is saved.
    File,
}

/// A media type that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MediaType(&'static Row);

#[derive(Debug, PartialEq, Eq)]
struct Row {
    name: &'static str,
    shown: Shown,
    extension: &'static str,
}

const fn row(name: &'static str, shown: Shown, extension: &'static str) -> Row {
    Row {
        name,
        shown,
        extension,
    }
}

/// The types of Langfuse's API, in its order.
static TYPES: &[Row] = &[
    row("image/png", Shown::Image, "png"),
    row("image/jpeg", Shown::Image, "jpg"),
    row("image/jpg", Shown::Image, "jpg"),
    row("image/webp", Shown::Image, "webp"),
    row("image/gif", Shown::Image, "gif"),
    row("image/svg+xml", Shown::File, "svg"),
    row("image/tiff", Shown::File, "tiff"),
    row("image/bmp", Shown::Image, "bmp"),
    row("image/avif", Shown::Image, "avif"),
    row("image/heic", Shown::File, "heic"),
    row("audio/mpeg", Shown::Audio, "mp3"),
    row("audio/mp3", Shown::Audio, "mp3"),
    row("audio/wav", Shown::Audio, "wav"),
    row("audio/ogg", Shown::Audio, "ogg"),
    row("audio/oga", Shown::Audio, "oga"),
    row("audio/aac", Shown::Audio, "aac"),
    row("audio/mp4", Shown::Audio, "m4a"),
    row("audio/flac", Shown::Audio, "flac"),
    row("audio/opus", Shown::Audio, "opus"),
    row("audio/webm", Shown::Audio, "weba"),
    row("video/mp4", Shown::Video, "mp4"),
    row("video/webm", Shown::Video, "webm"),
    row("video/ogg", Shown::Video, "ogv"),
    row("video/mpeg", Shown::Video, "mpeg"),
    row("video/quicktime", Shown::Video, "mov"),
    row("video/x-msvideo", Shown::Video, "avi"),
    row("video/x-matroska", Shown::Video, "mkv"),
    row("text/plain", Shown::File, "txt"),
    row("text/html", Shown::File, "html"),
    row("text/css", Shown::File, "css"),
    row("text/csv", Shown::File, "csv"),
    row("text/markdown", Shown::File, "md"),
    row("text/x-python", Shown::File, "py"),
    row("application/javascript", Shown::File, "js"),
    row("text/x-typescript", Shown::File, "ts"),
    row("application/x-yaml", Shown::File, "yaml"),
    row("application/pdf", Shown::File, "pdf"),
    row("application/msword", Shown::File, "doc"),
    row("application/vnd.ms-excel", Shown::File, "xls"),
    row(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        Shown::File,
        "xlsx",
    ),
    row("application/zip", Shown::File, "zip"),
    row("application/json", Shown::File, "json"),
    row("application/xml", Shown::File, "xml"),
    row("application/octet-stream", Shown::File, "bin"),
    row(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        Shown::File,
        "docx",
    ),
    row(
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        Shown::File,
        "pptx",
    ),
    row("application/rtf", Shown::File, "rtf"),
    row("application/x-ndjson", Shown::File, "ndjson"),
    row("application/vnd.apache.parquet", Shown::File, "parquet"),
    row("application/gzip", Shown::File, "gz"),
    row("application/x-tar", Shown::File, "tar"),
    row("application/x-7z-compressed", Shown::File, "7z"),
];

impl MediaType {
    /// The type of a name; `None` for one that is not taken.
    pub fn from_name(name: &str) -> Option<Self> {
        TYPES.iter().find(|row| row.name == name).map(MediaType)
    }

    /// The names of all types.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TYPES.iter().map(|row| row.name)
    }

    /// Its name, `image/png`.
    pub fn as_str(self) -> &'static str {
        self.0.name
    }

    /// How a browser shows it.
    pub fn shown(self) -> Shown {
        self.0.shown
    }

    /// The end of a file's name, `png`.
    pub fn extension(self) -> &'static str {
        self.0.extension
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_run_is_never_shown() {
        for name in MediaType::names() {
            let media_type = MediaType::from_name(name).unwrap();
            let can_run = ["svg", "html", "xml", "script", "css", "pdf"];
            if can_run.iter().any(|part| name.contains(part)) {
                assert_eq!(media_type.shown(), Shown::File, "{name}");
            }
        }
        assert!(MediaType::from_name("text/x-unknown").is_none());
        assert_eq!(MediaType::names().count(), 52);
    }
}

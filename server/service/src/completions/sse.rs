//! Server-sent events, read from bytes as they come.

/// The data of events, one text each; other fields are not looked at, for both interfaces say in the data
/// what it is.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// Bytes of a line that has not ended.
    line: Vec<u8>,
    /// Lines of data of an event that has not ended.
    data: String,
    has_data: bool,
}

impl Events {
    /// Takes bytes; gives the events that end in them.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = std::mem::take(&mut self.line);
            found.extend(self.end_line(&line));
        }
        found
    }

    /// What has not ended when the stream has: some servers leave the last empty line out.
    pub(super) fn end(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        let found = self.end_line(&line);
        found.or_else(|| self.end_line(b""))
    }

    fn end_line(&mut self, line: &[u8]) -> Option<String> {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end_matches('\r');
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return std::mem::take(&mut self.has_data).then_some(data);
        }
        if let Some(data) = line.strip_prefix("data:") {
            if self.has_data {
                self.data.push('\n');
            }
            self.has_data = true;
            self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_found_wherever_the_bytes_are_cut() {
        let stream = ": hello\r\n\r\nevent: a\r\ndata: {\"你\":1}\r\n\r\ndata:two\ndata: lines\n\ndata: [DONE]";
        for size in 1..stream.len() {
            let mut events = Events::default();
            let mut found = Vec::new();
            for piece in stream.as_bytes().chunks(size) {
                found.extend(events.take(piece));
            }
            found.extend(events.end());
            assert_eq!(found, ["{\"你\":1}", "two\nlines", "[DONE]"], "{size}");
            assert_eq!(events.end(), None);
        }
    }
}

//! `multipart/form-data` as the official client sends query parameters with it.

use super::exception::Exception;

/// The boundary, when a content type is a form's.
pub(super) fn boundary(content_type: &str) -> Option<&str> {
    let rest = content_type.strip_prefix("multipart/form-data")?;
    let (_, boundary) = rest.split_once("boundary=")?;
    let boundary = boundary
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .trim_matches('"');
    (!boundary.is_empty()).then_some(boundary)
}

/// The form's fields in order.
pub(super) fn fields(form: &[u8], boundary: &str) -> Result<Vec<(String, String)>, Exception> {
    let first = format!("--{boundary}");
    let next = format!("\r\n--{boundary}");
    let mut fields = Vec::new();
    let mut rest = form.strip_prefix(first.as_bytes()).ok_or_else(malformed)?;
    while let Some(part) = rest.strip_prefix(b"\r\n") {
        let head_end = find(part, b"\r\n\r\n").ok_or_else(malformed)?;
        let name = field_name(&part[..head_end]).ok_or_else(malformed)?;
        let value = &part[head_end + 4..];
        let value_end = find(value, next.as_bytes()).ok_or_else(malformed)?;
        let text = std::str::from_utf8(&value[..value_end]).map_err(|_| malformed())?;
        fields.push((name.to_owned(), text.to_owned()));
        rest = &value[value_end + next.len()..];
    }
    Ok(fields)
}

fn field_name(head: &[u8]) -> Option<&str> {
    let head = std::str::from_utf8(head).ok()?;
    let disposition = head.lines().find(|line| {
        line.get(..20)
            .is_some_and(|name| name.eq_ignore_ascii_case("content-disposition:"))
    })?;
    let (_, rest) = disposition.split_once("; name=\"")?;
    rest.split('"').next()
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let mut from = 0;
    loop {
        let at = from
            + haystack
                .get(from..)?
                .iter()
                .position(|byte| *byte == first)?;
        if haystack[at..].starts_with(needle) {
            return Some(at);
        }
        from = at + 1;
    }
}

fn malformed() -> Exception {
    Exception::new(1000, "POCO_EXCEPTION", "The multipart form is malformed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_their_line_ends() {
        let form = b"--xy\r\nContent-Disposition: form-data; name=\"query\"\r\n\r\nSELECT\r\n1\r\n--xy\r\n\
            Content-Disposition: form-data; name=\"param_a\"\r\n\r\n\r\n--xy--\r\n";
        let read = fields(form, boundary("multipart/form-data; boundary=xy").unwrap()).unwrap();
        let expected = [("query", "SELECT\r\n1"), ("param_a", "")];
        assert_eq!(
            read,
            expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
        assert!(fields(b"--xy\r\nnonsense", "xy").is_err());
    }
}

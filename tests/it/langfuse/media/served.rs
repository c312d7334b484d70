//! How bytes are given to browsers and programs.

use reqwest::{Client, Method, Response, StatusCode};
use tests::shared;

use super::{File, address, sent};

fn header<'r>(answer: &'r Response, name: &str) -> &'r str {
    answer
        .headers()
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn only_what_cannot_run_keeps_its_type_and_everything_is_in_a_sandbox() {
    let project = shared().await.new_project();
    let script =
        "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(1)</script></svg>";
    for (media_type, inline) in [
        ("image/png", true),
        ("audio/mpeg", true),
        ("video/mp4", true),
        ("image/svg+xml", false),
        ("text/html", false),
        ("text/plain", false),
        ("application/xml", false),
        ("application/javascript", false),
        ("application/pdf", false),
    ] {
        let file = File::new(media_type, format!("{media_type}{script}"));
        sent(&project, &file, "t").await;
        let answer = reqwest::get(address(&project, &file).await).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        let expected = if inline {
            media_type
        } else {
            "application/octet-stream"
        };
        assert_eq!(header(&answer, "content-type"), expected);
        let disposition = header(&answer, "content-disposition");
        assert_eq!(
            disposition.starts_with("inline"),
            inline,
            "{media_type}: {disposition}"
        );
        assert!(disposition.contains(&file.id()), "{disposition}");
        let policy = header(&answer, "content-security-policy");
        assert!(
            policy.contains("sandbox") && policy.contains("default-src 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("allow"), "{policy}");
        assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
        assert_eq!(header(&answer, "x-frame-options"), "DENY");
        assert_eq!(
            header(&answer, "content-length"),
            file.bytes.len().to_string()
        );
        assert!(header(&answer, "cache-control").starts_with("private"));
        assert_eq!(answer.bytes().await.unwrap(), file.bytes);
    }
}

#[tokio::test]
async fn players_may_ask_for_parts() {
    let project = shared().await.new_project();
    let bytes: Vec<u8> = (0..200_000_u32).map(|n| (n % 251) as u8).collect();
    let file = File::new("video/mp4", bytes);
    sent(&project, &file, "t").await;
    let url = address(&project, &file).await;
    let part = async |range: &str| {
        Client::new()
            .get(&url)
            .header("range", range)
            .send()
            .await
            .unwrap()
    };
    for (range, first, last) in [
        ("bytes=0-0", 0, 0),
        ("bytes=1000-199999", 1_000, 199_999),
        ("bytes=199990-", 199_990, 199_999),
        ("bytes=-5", 199_995, 199_999),
        ("bytes=5-9999999", 5, 199_999),
    ] {
        let answer = part(range).await;
        assert_eq!(answer.status(), StatusCode::PARTIAL_CONTENT, "{range}");
        assert_eq!(
            header(&answer, "content-range"),
            format!("bytes {first}-{last}/200000")
        );
        assert_eq!(
            answer.bytes().await.unwrap(),
            file.bytes[first..=last],
            "{range}"
        );
    }
    let nothing = part("bytes=200000-").await;
    assert_eq!(nothing.status(), StatusCode::RANGE_NOT_SATISFIABLE);
    assert_eq!(header(&nothing, "content-range"), "bytes */200000");
    let whole = part("bytes=0-1,5-6").await;
    assert_eq!(whole.status(), StatusCode::OK);
    assert_eq!(header(&whole, "accept-ranges"), "bytes");
    let head = Client::new().head(&url).send().await.unwrap();
    assert_eq!(
        (head.status(), header(&head, "content-length")),
        (StatusCode::OK, "200000")
    );
    // Never packed: parts are counted in bytes.
    let packed = Client::new()
        .get(&url)
        .header("accept-encoding", "gzip, zstd")
        .send();
    assert_eq!(header(&packed.await.unwrap(), "content-encoding"), "");
}

#[tokio::test]
async fn browsers_of_other_origins_may_send_and_fetch() {
    let project = shared().await.new_project();
    let file = File::new("image/png", "across");
    sent(&project, &file, "t").await;
    let url = address(&project, &file).await;
    let asked = Client::new().request(Method::OPTIONS, &url);
    let asked = asked
        .header("origin", "https://app.example")
        .header("access-control-request-method", "PUT")
        .header(
            "access-control-request-headers",
            "content-type,x-amz-checksum-sha256",
        );
    let answer = asked.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert!(header(&answer, "access-control-allow-methods").contains("PUT"));
    let fetched = Client::new()
        .get(&url)
        .header("origin", "https://app.example");
    let fetched = fetched.send().await.unwrap();
    assert_eq!(
        header(&fetched, "access-control-allow-origin"),
        "https://app.example"
    );
}

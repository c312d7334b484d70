//! Traces that anybody may see: those alone, for as long as they are public, and nothing beside them.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually, shared};

use super::headers::Visitor;
use super::tenancy::{add_member, new_key};
use super::victims::dashboard;
use crate::langfuse::media::{File, sent};

const MARK: &str = "what-is-said-in-this-trace";

/// A project of its own, with its owner and somebody who has not signed in.
struct Scene {
    owner: Visitor,
    nobody: Visitor,
    /// Path of its pages: `/p/{id}`.
    project: String,
    client: ProjectClient,
}

async fn scene() -> Scene {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let first = owner.project().await;
    owner.read(&format!("{first}/settings")).await;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("shared {number} {}", std::process::id());
    let form = [("_csrf", owner.csrf.as_str()), ("name", &name)];
    let made = owner
        .post(&format!("{first}/settings/projects"), &form)
        .await;
    let to = made.headers()["location"].to_str().unwrap().to_owned();
    let project = to.strip_suffix("/settings/keys").unwrap().to_owned();
    let client = new_key(&mut owner, &project).await;
    let nobody = Visitor::at(Ipv4Addr::LOCALHOST).await;
    Scene {
        owner,
        nobody,
        project,
        client,
    }
}

impl Scene {
    /// Where anybody sees a trace.
    fn address(&self, trace: &str) -> String {
        let root = self.project.replacen("/p/", "/project/", 1);
        format!("{root}/traces/{trace}")
    }

    /// Sends a trace with one call, whose client says so of it, or nothing; its id.
    async fn trace(&self, public: Option<bool>) -> String {
        let mut root = SpanBuilder::root("turn");
        let mut call = root
            .child("call")
            .attribute("gen_ai.request.model", "m")
            .attribute("input.value", MARK);
        // Clients write it on whichever span is at work.
        if let Some(public) = public {
            call = call.attribute("langfuse.trace.public", public);
        }
        root = root.attribute("input.value", MARK);
        self.client.accept_traces(&export([&root, &call])).await;
        self.client.trace_with_spans(root.trace_id(), 2).await;
        root.trace_id().to_owned()
    }

    async fn anybody(&self, path: &str) -> (StatusCode, String) {
        let answer = self.nobody.get(path).await;
        let robots = answer.headers().get("x-robots-tag").cloned();
        let status = answer.status();
        if status.is_success() {
            assert_eq!(robots.unwrap(), "noindex, nofollow", "{path}");
        }
        (status, answer.text().await.unwrap())
    }

    async fn assert_closed(&self, path: &str) {
        let (status, page) = self.anybody(path).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(!page.contains(MARK), "{path}");
        // A member comes in by signing in.
        assert!(page.contains("/sign-in?next="), "{path}");
    }

    async fn assert_no_board(&self, path: &str) {
        let (status, page) = self.anybody(path).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(!page.contains("class=\"widget"), "{path}");
    }

    async fn publish(&mut self, trace: &str, public: &str) -> Response {
        let page = format!("{}/traces/{trace}", self.project);
        self.owner.read(&page).await;
        let form = [("_csrf", self.owner.csrf.as_str()), ("public", public)];
        self.owner.post(&format!("{page}/public"), &form).await
    }

    async fn allow(&mut self, allowed: &str) {
        let page = format!("{}/settings", self.project);
        self.owner.read(&page).await;
        let form = [("_csrf", self.owner.csrf.as_str()), ("allowed", allowed)];
        let answer = self
            .owner
            .post(&format!("{page}/public-links"), &form)
            .await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    }

    async fn told(&self, trace: &str) -> Value {
        let trace = self
            .client
            .get_json(&format!("/api/public/traces/{trace}"))
            .await;
        trace["public"].clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_public_trace_is_read_by_anybody_and_nothing_beside_it() {
    let scene = scene().await;
    let (public, silent, denied) = (
        scene.trace(Some(true)).await,
        scene.trace(None).await,
        scene.trace(Some(false)).await,
    );
    assert_eq!(scene.told(&public).await, true);
    assert_eq!(scene.told(&silent).await, false);
    let listed = scene.client.get_json("/api/v1/traces?limit=100").await;
    for row in listed["data"].as_array().unwrap() {
        assert_eq!(row["public"], row["trace_id"] == public, "{row}");
    }
    for closed in [&silent, &denied, "no-such-trace"] {
        scene.assert_closed(&scene.address(closed)).await;
    }
    let address = scene.address(&public);
    let (status, page) = scene.anybody(&address).await;
    assert_eq!(status, StatusCode::OK, "{page}");
    assert!(page.contains(MARK) && page.contains("turn"));
    assert!(page.contains("name=\"robots\" content=\"noindex, nofollow\""));
    for beyond in [
        "/p/",
        "<form method=\"post\"",
        &silent,
        scene.client.public_key.as_str(),
    ] {
        assert!(!page.contains(beyond), "{beyond}");
    }
    for tab in ["raw", "attributes", "mapping", "events", "scores", "links"] {
        let (status, page) = scene.anybody(&format!("{address}?tab={tab}")).await;
        assert_eq!(status, StatusCode::OK, "{tab}");
        assert!(!page.contains("href=\"/p/"), "{tab}");
    }
    let (status, rows) = scene.anybody(&format!("{address}/rows")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(rows.contains("call") && !rows.contains("/p/"));
    for below in ["rows", "media/AAAAAAAAAAAAAAAAAAAAAA"] {
        let closed = format!("{}/{below}", scene.address(&silent));
        scene.assert_closed(&closed).await;
    }
    // The trace of another project is not there, though its address names a public one.
    let other = self::scene().await;
    let foreign = other.address(&public);
    scene.assert_closed(&foreign).await;
    // Members are led to the page that they have.
    let member = scene.owner.get(&address).await;
    assert_eq!(member.status(), StatusCode::SEE_OTHER);
    let page = format!("{}/traces/{public}", scene.project);
    assert_eq!(member.headers()["location"].to_str().unwrap(), page);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_that_switches_public_links_off_shows_none_at_once() {
    let mut scene = scene().await;
    let address = scene.address(&scene.trace(Some(true)).await);
    assert_eq!(scene.anybody(&address).await.0, StatusCode::OK);
    scene.allow("no").await;
    for path in [address.clone(), format!("{address}/rows")] {
        scene.assert_closed(&path).await;
    }
    scene.allow("yes").await;
    assert_eq!(scene.anybody(&address).await.0, StatusCode::OK);

    let project = scene.project.clone();
    let (email, password) = add_member(&mut scene.owner, &project, "viewer").await;
    let mut viewer = Visitor::signed_in_as(&email, password).await;
    viewer.read(&format!("{project}/settings")).await;
    let form = [("_csrf", viewer.csrf.as_str()), ("allowed", "no")];
    let answer = viewer
        .post(&format!("{project}/settings/public-links"), &form)
        .await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    assert_eq!(scene.anybody(&address).await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_makes_a_trace_public_and_private_again() {
    let mut scene = scene().await;
    let trace = scene.trace(None).await;
    let address = scene.address(&trace);
    let shown = scene
        .client
        .get_json(&format!("/api/public/traces/{trace}"))
        .await;
    for (word, status) in [("yes", StatusCode::OK), ("no", StatusCode::NOT_FOUND)] {
        let answer = scene.publish(&trace, word).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{word}");
        assert_eq!(scene.anybody(&address).await.0, status, "{word}");
        assert_eq!(scene.told(&trace).await, word == "yes");
    }
    // Nothing else of it is another.
    let mut now = scene
        .client
        .get_json(&format!("/api/public/traces/{trace}"))
        .await;
    for field in ["updatedAt", "createdAt"] {
        now[field] = shown[field].clone();
    }
    assert_eq!(now, shown);

    let project = scene.project.clone();
    let (email, password) = add_member(&mut scene.owner, &project, "viewer").await;
    let mut viewer = Visitor::signed_in_as(&email, password).await;
    let page = format!("{project}/traces/{trace}");
    let read = viewer.read(&page).await;
    assert!(!read.contains(&format!("{page}/public")));
    let form = [("_csrf", viewer.csrf.as_str()), ("public", "yes")];
    let answer = viewer.post(&format!("{page}/public"), &form).await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    scene.assert_closed(&address).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_word_of_a_client_counts_for_its_whole_trace() {
    let scene = scene().await;
    let address = scene.address("told");
    let says = async |number: u32, public: bool| {
        let body = json!({"batch": [{
            "id": format!("event-{number}"), "type": "trace-create",
            "timestamp": format!("2026-11-03T10:00:{number:02}.000Z"),
            "body": {"id": "told", "name": "turn", "input": MARK, "public": public},
        }]});
        let request = scene
            .client
            .request(reqwest::Method::POST, "/api/public/ingestion");
        let request = request.header("content-type", "application/json");
        let answer = request.body(body.to_string()).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::MULTI_STATUS);
    };
    for (number, public) in [(1, true), (2, false), (3, true)] {
        says(number, public).await;
        let wanted = if public {
            StatusCode::OK
        } else {
            StatusCode::NOT_FOUND
        };
        eventually("the trace is as its client said", async || {
            let (status, _) = scene.anybody(&address).await;
            if status == wanted {
                Ok(())
            } else {
                Err(status)
            }
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn attachments_of_a_public_trace_are_given_out_and_no_others() {
    let mut scene = scene().await;
    let (mine, other) = (
        File::new("text/plain", format!("{MARK} {}", scene.project)),
        File::new("text/plain", format!("of another {}", scene.project)),
    );
    let both = format!("{} and {}", mine.reference(), other.reference());
    let root = SpanBuilder::root("turn")
        .attribute("input.value", both)
        .attribute("langfuse.trace.public", true);
    scene.client.accept_traces(&export([&root])).await;
    scene.client.trace_with_spans(root.trace_id(), 1).await;
    sent(&scene.client, &mine, root.trace_id()).await;
    sent(&scene.client, &other, "elsewhere").await;
    let address = scene.address(root.trace_id());
    let (_, page) = scene.anybody(&address).await;
    let at = |file: &File| format!("{address}/media/{}", file.id());
    assert!(page.contains(&at(&mine)));
    assert!(
        !page.contains(&at(&other)),
        "a reference alone opens nothing"
    );
    let answer = scene.nobody.get(&at(&mine)).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let bytes = answer.headers()["location"].to_str().unwrap().to_owned();
    assert!(bytes.starts_with("/api/media/"), "{bytes}");
    let answer = scene.nobody.get(&bytes).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(answer.text().await.unwrap().contains(MARK));
    scene.assert_closed(&at(&other)).await;
    // An address that was given out ends with the right.
    scene.allow("no").await;
    let answer = scene.nobody.get(&bytes).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    scene.allow("yes").await;
    assert_eq!(scene.nobody.get(&bytes).await.status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_public_dashboard_is_read_by_whoever_has_its_link_until_it_is_taken_back() {
    let mut scene = scene().await;
    let trace = scene.trace(None).await;
    let project = scene.project.clone();
    let board = dashboard(&mut scene.owner, &project).await;
    let page = format!("{project}/dashboards/{board}");
    scene.allow("no").await;
    let told = scene.owner.read(&page).await;
    assert!(!told.contains("share-board"));
    let refused = publish_board(&mut scene.owner, &page, "yes").await;
    assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
    scene.allow("yes").await;

    let link = async |scene: &mut Scene| {
        let answer = publish_board(&mut scene.owner, &page, "yes").await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        let told = scene.owner.read(&page).await;
        let (_, rest) = told.split_once("/shared/dashboards/").unwrap();
        let (link, _) = rest.split_once('<').unwrap();
        format!("/shared/dashboards/{link}")
    };
    let first = link(&mut scene).await;
    // Asked for once more it stays the same.
    assert_eq!(link(&mut scene).await, first);
    let (status, open) = scene.anybody(&first).await;
    assert_eq!(status, StatusCode::OK, "{open}");
    assert!(open.contains("class=\"widget"), "{open}");
    for beyond in ["/p/", "<form method=\"post\"", &trace, "data-brush", &board] {
        assert!(!open.contains(beyond), "{beyond}");
    }
    let (status, _) = scene.anybody(&format!("{first}?range=365d")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (status, _) = scene.anybody(&format!("{first}?f=model:is:m")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    scene.assert_no_board(&format!("{first}x")).await;
    scene
        .assert_no_board(&format!("/shared/dashboards/{board}"))
        .await;

    let (email, password) = add_member(&mut scene.owner, &project, "viewer").await;
    let mut viewer = Visitor::signed_in_as(&email, password).await;
    let refused = publish_board(&mut viewer, &page, "no").await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);

    scene.allow("no").await;
    scene.assert_no_board(&first).await;
    scene.allow("yes").await;
    assert_eq!(scene.anybody(&first).await.0, StatusCode::OK);
    publish_board(&mut scene.owner, &page, "no").await;
    scene.assert_no_board(&first).await;
    let second = link(&mut scene).await;
    assert_ne!(first, second);
    scene.assert_no_board(&first).await;
    assert_eq!(scene.anybody(&second).await.0, StatusCode::OK);
}

async fn publish_board(person: &mut Visitor, page: &str, public: &str) -> Response {
    person.read(page).await;
    let form = [("_csrf", person.csrf.as_str()), ("public", public)];
    person.post(&format!("{page}/public"), &form).await
}

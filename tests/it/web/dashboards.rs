use fantoccini::key::Key;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually, shared};

use super::Browser;
use super::headers::Visitor;
use super::tenancy::{add_member, new_key};

/// Spans of some names at instants, waited for.
async fn sent(client: &ProjectClient, spans: &[(&str, &str)]) {
    let spans: Vec<SpanBuilder> = spans
        .iter()
        .map(|(name, at)| {
            let at = domain::Timestamp::parse(at).unwrap().unix_nanos();
            SpanBuilder::root(name)
                .field("startTimeUnixNano", at.to_string())
                .field("endTimeUnixNano", (at + 1_000_000_000).to_string())
        })
        .collect();
    client.accept_traces(&export(&spans)).await;
    for span in &spans {
        client.trace_with_spans(span.trace_id(), 1).await;
    }
}

fn widget(id: u32, more: &Value) -> Value {
    let mut widget = json!({
        "id": id, "title": format!("widget {id}"), "chart": "bar", "view": "observations", "measure": "count",
        "aggregation": "count", "place": {"x": 0, "y": 0, "w": 6, "h": 6},
    });
    for (name, value) in more.as_object().unwrap() {
        widget[name] = value.clone();
    }
    widget
}

/// Somebody at the pages of a project of their own.
struct Owner {
    visitor: Visitor,
    project: String,
}

impl Owner {
    async fn new() -> (Self, ProjectClient) {
        let server = shared().await;
        let mut visitor = Visitor::signed_in_as(server.email(), server.password()).await;
        let first = visitor.project().await;
        visitor.read(&format!("{first}/settings")).await;
        let name = format!("dashboards {}", uuid::Uuid::now_v7());
        let form = [("_csrf", visitor.csrf.as_str()), ("name", &name)];
        let made = visitor
            .post(&format!("{first}/settings/projects"), &form)
            .await;
        let path = made.headers()["location"].to_str().unwrap();
        let project: Vec<&str> = path.split('/').take(3).collect();
        let project = project.join("/");
        let client = new_key(&mut visitor, &project).await;
        (Owner { visitor, project }, client)
    }

    /// Makes a dashboard of widgets; its path.
    async fn dashboard(&mut self, widgets: Value) -> String {
        let json = json!({"name": "board", "widgets": widgets}).to_string();
        let list = format!("{}/dashboards", self.project);
        self.visitor.read(&list).await;
        let form = [("_csrf", self.visitor.csrf.as_str()), ("json", &json)];
        let made = self.visitor.post(&list, &form).await;
        assert_eq!(made.status(), StatusCode::SEE_OTHER, "{json}");
        made.headers()["location"].to_str().unwrap().to_owned()
    }

    async fn export(&mut self, dashboard: &str) -> Value {
        let text = self.visitor.read(&format!("{dashboard}/export")).await;
        serde_json::from_str(&text).unwrap()
    }
}

/// Where a widget stands: column, row, width, height.
async fn place(browser: &Browser, id: u32) -> Value {
    let script = "
        const widget = document.querySelector(`[data-widget=\"${arguments[0]}\"]`);
        return widget && ['x', 'y', 'w', 'h'].map((name) => Number(widget.dataset[name]))";
    browser.run(script, vec![json!(id)]).await
}

/// Drags something of a widget by so many pixels.
async fn drag(browser: &Browser, (id, grip): (u32, &str), (x, y): (i32, i32)) {
    let script = "
        const [id, name, x, y] = arguments;
        const grip = document.querySelector(`[data-widget=\"${id}\"] [data-${name}]`);
        const box = grip.getBoundingClientRect();
        const at = (x, y) => ({ bubbles: true, cancelable: true, button: 0, clientX: box.left + 4 + x, clientY: box.top + 4 + y });
        grip.dispatchEvent(new PointerEvent('pointerdown', at(0, 0)));
        dispatchEvent(new PointerEvent('pointermove', at(x, y)));
        dispatchEvent(new PointerEvent('pointerup', at(x, y)));";
    browser
        .run(script, vec![json!(id), json!(grip), json!(x), json!(y)])
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_widget_is_built_with_its_answer_beside_it_moved_sized_and_taken_off() {
    let (browser, client) = Browser::in_new_project("board").await;
    let spans: Vec<SpanBuilder> = ["alpha", "alpha", "beta"].map(SpanBuilder::root).to_vec();
    client.accept_traces(&export(&spans)).await;
    for span in &spans {
        client.trace_with_spans(span.trace_id(), 1).await;
    }
    browser.press("gb").await;
    browser.says("main", "No dashboards yet").await;
    browser
        .click("main .head details:last-of-type summary")
        .await;
    browser.fill("#new-dashboard", "Mine").await;
    browser.submit("#new-dashboard").await;
    browser
        .says("main", "Nothing is on this dashboard yet")
        .await;
    browser.click("main .btn-primary").await;
    browser.path_contains("/widgets/new").await;

    // The preview follows what is chosen, and the address holds it.
    browser.fill("#w-title", "By name").await;
    browser.click("#w-chart option[value=bar]").await;
    browser.path_contains("chart=bar").await;
    // The form is swapped with its answer: what is chosen before it has settled is lost.
    let settled = "#builder:not(:has(.htmx-added, .htmx-settling)) #preview .toplist";
    browser.says(settled, "none").await;
    // By the keyboard: a driver's click on an option tells only of the change, a person's of the input.
    let by = browser.find("#w-by").await;
    by.send_keys("Name").await.unwrap();
    browser.says(settled, "alpha").await;
    browser.says(settled, "beta").await;
    browser.fill("#w-fv-1", "nowhere").await;
    let preview = "#builder:not(:has(.htmx-added, .htmx-settling)) #preview";
    browser.says(preview, "nothing in this range").await;
    browser.fill("#w-fv-1", "default").await;
    browser.says(settled, "alpha").await;
    let path = browser.path().await;
    assert!(!path.contains("_csrf"), "{path}");
    browser.click("#w-save").await;
    browser.says(".widget h2", "By name").await;
    browser.says(".widget .toplist", "alpha").await;

    // Another one like it lies below; dragged up it takes the place, and keeps it.
    browser.click(".widget details summary").await;
    browser.click(".widget form[action$='/copy'] button").await;
    browser.shows(".widget", 2).await;
    assert_eq!(place(&browser, 2).await, json!([0, 6, 6, 6]));
    drag(&browser, (2, "move"), (700, -400)).await;
    eventually("the widget stands beside the other", async || {
        let saved = browser.count("[data-board][data-saved]").await;
        let place = place(&browser, 2).await;
        if saved == 1 && place == json!([6, 0, 6, 6]) {
            Ok(())
        } else {
            Err(place)
        }
    })
    .await;
    drag(&browser, (2, "resize"), (-290, -96)).await;
    browser.find("[data-board][data-saved='2']").await;
    let sized = place(&browser, 2).await;
    assert_eq!(sized, json!([6, 0, 3, 4]));
    let (down, wider) = (Key::Down, "\u{E008}\u{E014}\u{E008}");
    let grip = browser.find("[data-widget='2'] [data-move]").await;
    grip.send_keys(wider).await.unwrap();
    browser.find("[data-board][data-saved='3']").await;
    assert_eq!(place(&browser, 2).await, json!([6, 0, 4, 4]));
    // Nothing is below: it comes up again.
    grip.send_keys(&char::from(down).to_string()).await.unwrap();
    browser.find("[data-board][data-saved='4']").await;
    assert_eq!(place(&browser, 2).await, json!([6, 0, 4, 4]));
    let here = browser.path().await;
    browser.go(&here).await;
    assert_eq!(place(&browser, 2).await, json!([6, 0, 4, 4]));

    browser.click("[data-widget='2'] details summary").await;
    browser.click("[data-widget='2'] a[href*='widget=2']").await;
    browser.shows(".widget", 1).await;
    browser.click("[data-list-link]").await;
    browser.shows(".widget", 2).await;
    browser.click("[data-widget='2'] details summary").await;
    browser
        .click("[data-widget='2'] form[action$='/delete'] button")
        .await;
    browser.shows(".widget", 1).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dashboard_is_renamed_cloned_exported_imported_and_deleted() {
    let (mut owner, _) = Owner::new().await;
    let board = owner
        .dashboard(json!([widget(1, &json!({"by": "name"}))]))
        .await;
    let written = owner.export(&board).await;
    assert_eq!(written["widgets"][0]["by"], "name");
    let csrf = owner.visitor.csrf.clone();
    let form = [
        ("_csrf", csrf.as_str()),
        ("name", "other"),
        ("description", "for all"),
    ];
    owner.visitor.post(&format!("{board}/rename"), &form).await;
    let cloned = owner
        .visitor
        .post(&format!("{board}/clone"), &form[..1])
        .await;
    let cloned = cloned.headers()["location"].to_str().unwrap().to_owned();
    assert_ne!(cloned, board);
    let copy = owner.export(&cloned).await;
    assert_eq!(
        (&copy["name"], &copy["description"]),
        (&json!("other (copy)"), &json!("for all"))
    );
    assert_eq!(copy["widgets"], written["widgets"]);
    let again = owner.dashboard(copy["widgets"].clone()).await;
    assert_eq!(owner.export(&again).await["widgets"], written["widgets"]);
    owner
        .visitor
        .post(&format!("{board}/delete"), &form[..1])
        .await;
    assert_eq!(
        owner.visitor.get(&board).await.status(),
        StatusCode::NOT_FOUND
    );
    let list = format!("{}/dashboards", owner.project);
    for (json, part) in [
        ("{", "json:"),
        ("{\"name\":\"a\",\"widgets\":[{}]}", "missing field"),
        ("{\"name\":\"a\\u0000b\"}", "control characters"),
        ("{\"name\":\"a\",\"colour\":1}", "unknown field"),
    ] {
        let form = [("_csrf", csrf.as_str()), ("json", json)];
        let refused = owner.visitor.post(&list, &form).await;
        assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY, "{json}");
        assert!(refused.text().await.unwrap().contains(part), "{json}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_sees_dashboards_and_changes_none() {
    let (mut owner, _) = Owner::new().await;
    let board = owner.dashboard(json!([widget(1, &json!({}))])).await;
    let (email, password) = add_member(&mut owner.visitor, &owner.project, "onlooker").await;
    let mut viewer = Visitor::signed_in_as(&email, password).await;
    let page = viewer.read(&board).await;
    assert!(page.contains("widget 1") && !page.contains("data-board"));
    let csrf = viewer.csrf.clone();
    let form = [
        ("_csrf", csrf.as_str()),
        ("name", "taken"),
        ("widget", "1"),
        ("x", "1"),
        ("y", "1"),
        ("w", "3"),
        ("h", "3"),
    ];
    for path in [
        "rename",
        "clone",
        "delete",
        "place",
        "widgets/new",
        "widgets/1",
        "widgets/1/copy",
        "widgets/1/delete",
    ] {
        let answer = viewer.post(&format!("{board}/{path}"), &form).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(owner.export(&board).await["name"], "board");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_can_be_taken_along_without_formulas() {
    let (mut owner, client) = Owner::new().await;
    let at = "2026-06-28T12:00:00Z";
    sent(&client, &[("=1+1", at), ("=1+1", at), ("plain", at)]).await;
    let board = owner
        .dashboard(json!([widget(1, &json!({"chart": "table", "by": "name"}))]))
        .await;
    let range = "from=2026-06-28T00:00:00Z&to=2026-06-29T00:00:00Z";
    let csv = owner
        .visitor
        .get(&format!("{board}/widgets/1/csv?{range}"))
        .await;
    assert!(
        csv.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/csv")
    );
    assert_eq!(
        csv.text().await.unwrap(),
        "name,count\r\n'=1+1,2\r\nplain,1\r\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_the_metadata_tell_apart_and_only_the_greatest_are_shown() {
    let (mut owner, client) = Owner::new().await;
    let spans: Vec<SpanBuilder> = (0..12)
        .map(|at| {
            SpanBuilder::root("call").attribute(
                "langfuse.observation.metadata.team",
                format!("team {}", at / 2),
            )
        })
        .collect();
    client.accept_traces(&export(&spans)).await;
    for span in &spans {
        client.trace_with_spans(span.trace_id(), 1).await;
    }
    let more = json!({"by": "metadata.team", "top": 3});
    let lines = json!({"by": "metadata.team", "top": 3, "chart": "stacked"});
    let board = owner
        .dashboard(json!([widget(1, &more), widget(2, &lines)]))
        .await;
    let page = owner.visitor.read(&board).await;
    assert!(page.contains("team 0") && page.contains("team 2") && !page.contains("team 3"));
    assert_eq!(page.matches("the 3 greatest of more").count(), 2);
}

/// C077, C078: spans at the edges of a day are in the same bar, tip and list in whatever zone they are looked at.
#[tokio::test(flavor = "multi_thread")]
async fn days_tips_and_contents_are_those_of_the_zone_of_the_page() {
    let (mut owner, client) = Owner::new().await;
    sent(
        &client,
        &[
            ("early", "2026-06-28T00:30:00Z"),
            ("late", "2026-06-28T23:30:00Z"),
        ],
    )
    .await;
    let day = json!({"pieces": "day", "title": "days"});
    let board = owner.dashboard(json!([widget(1, &day)])).await;
    let range = "from=2026-06-26T00:00:00Z&to=2026-07-01T00:00:00Z";
    for (zone, offset, days) in [
        ("UTC", "UTC", vec![("28 Jun 2026", 2)]),
        (
            "America/Los_Angeles",
            "UTC−7",
            vec![("27 Jun 2026", 1), ("28 Jun 2026", 1)],
        ),
        (
            "Asia/Shanghai",
            "UTC+8",
            vec![("28 Jun 2026", 1), ("29 Jun 2026", 1)],
        ),
    ] {
        let query = format!("{range}&tz={zone}");
        let page = owner.visitor.read(&format!("{board}?{query}")).await;
        let of = |name: &str| -> Value {
            let (_, rest) = page.split_once(&format!("{name}=\"")).unwrap();
            let text = rest
                .split('"')
                .next()
                .unwrap()
                .replace("&#34;", "\"")
                .replace("&quot;", "\"");
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error} in {text}"))
        };
        let (times, told, edges) = (of("data-times"), of("data-told"), of("data-edges"));
        let times = times.as_array().unwrap();
        for (at, time) in times.iter().enumerate() {
            let expected = days
                .iter()
                .find(|(day, _)| time == day)
                .map_or(0, |(_, count)| *count);
            assert_eq!(told[0][1][at], expected.to_string(), "{zone}: {time}");
            // What the bar leads to is what the bar counts, and the list names the same zone.
            let (from, to) = (edges[at].as_str().unwrap(), edges[at + 1].as_str().unwrap());
            let list = format!("{}/traces?from={from}&to={to}&tz={zone}", owner.project);
            let list = owner.visitor.read(&list).await;
            let rows = ["early", "late"]
                .iter()
                .filter(|name| list.contains(&format!(">{name}<")))
                .count();
            assert_eq!(rows, expected, "{zone}: {time}");
            assert!(list.contains(offset), "{zone} is named");
        }
        assert!(page.contains(offset), "{zone} is named");
        // An address names instants, whoever opens it: the file of another zone has the same sum.
        let csv = owner
            .visitor
            .read(&format!("{board}/widgets/1/csv?{query}"))
            .await;
        let sum: u64 = csv
            .lines()
            .skip(1)
            .map(|line| line.rsplit(',').next().unwrap().parse::<u64>().unwrap())
            .sum();
        assert_eq!(sum, 2, "{zone}: {csv}");
    }
}

/// C079: instants are instants however they are written; what is none is named.
#[tokio::test(flavor = "multi_thread")]
async fn times_of_addresses_are_read_alike_on_all_pages() {
    let (mut owner, client) = Owner::new().await;
    sent(
        &client,
        &[
            ("first", "2026-01-05T01:00:00Z"),
            ("last", "2026-01-05T01:01:00Z"),
        ],
    )
    .await;
    let board = owner
        .dashboard(json!([widget(1, &json!({"chart": "table", "by": "name"}))]))
        .await;
    let pages = [
        format!("{}/traces?", owner.project),
        format!("{}/overview?", owner.project),
        format!("{board}?"),
        format!("{board}/widgets/1/csv?"),
    ];
    for page in &pages {
        for from in ["2026-01-05T01:00:00Z", "2026-01-05T10:00:00%2B09:00"] {
            let path = format!("{page}from={from}&to=2026-01-05T01:01:00Z&tz=Asia/Seoul");
            assert_eq!(
                owner.visitor.get(&path).await.status(),
                StatusCode::OK,
                "{path}"
            );
            if page.ends_with("csv?") {
                // From included, to excluded.
                let csv = owner.visitor.read(&path).await;
                assert_eq!(csv, "name,count\r\nfirst,1\r\n", "{path}");
            }
        }
        for wrong in ["yesterday", "2026-13-05T01:00:00Z"] {
            let path = format!("{page}from={wrong}&to=2026-01-05T01:01:00Z");
            let answer = owner.visitor.get(&path).await;
            assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{path}");
            assert!(answer.text().await.unwrap().contains("from"), "{path}");
        }
    }
}

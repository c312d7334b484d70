use super::*;

fn every() -> Vec<(String, String)> {
    let mut all_samples = all("en", "light");
    all_samples.extend(all("zh", "dark"));
    all_samples
        .into_iter()
        .map(|sample| (sample.name, sample.html.unwrap()))
        .collect()
}

/// The tags of a page, without its text.
fn tags(html: &str) -> Vec<&str> {
    html.split('<')
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('>')?.0))
        .collect()
}

/// A tag with its attributes' names but without their values, in lower case.
fn without_values(tag: &str) -> String {
    tag.split('"').step_by(2).collect::<String>().to_lowercase()
}

#[test]
fn no_page_needs_more_than_the_policy_allows() {
    for (name, html) in every() {
        for tag in tags(&html) {
            let lower = without_values(tag);
            assert!(!lower.starts_with("style"), "{name}: <{tag}>");
            assert!(!lower.contains(" style="), "{name}: <{tag}>");
            assert!(!lower.starts_with("iframe"), "{name}: <{tag}>");
            // Pictures are attachments of the project, and nothing else.
            let is_of_project = tag.contains(" src=\"/p/") || tag.contains(" src=\"/project/");
            let is_attachment = is_of_project && tag.contains("/media/");
            assert!(
                !lower.starts_with("img") || is_attachment,
                "{name}: <{tag}>"
            );
            if lower.starts_with("script") {
                assert!(tag.contains(" src=\"/assets/"), "{name}: <{tag}>");
            }
            for address in ["href=\"", "src=\"", "action=\""] {
                let ours = tag
                    .split(address)
                    .skip(1)
                    .all(|rest| rest.starts_with(['/', '#']));
                assert!(ours, "{name}: <{tag}>");
            }
            let handler = lower.split_whitespace().any(|part| {
                part.starts_with("on") && part.contains('=') && !part.starts_with("on=")
            });
            assert!(!handler, "{name}: <{tag}>");
        }
    }
}

#[test]
fn hostile_text_is_shown_and_never_markup() {
    let pages = every();
    let hostile = pages.iter().filter(|(name, _)| name.contains("overfull"));
    let mut seen = 0;
    for (name, html) in hostile {
        assert!(!html.contains("<script>window"), "{name}");
        assert!(
            !html.contains("<img") && !html.contains("<iframe"),
            "{name}"
        );
        seen += html.matches("window.__x=1").count();
    }
    assert!(seen > 50, "the text is there: {seen}");
}

#[test]
fn every_tag_is_closed_where_it_was_opened() {
    const VOID: [&str; 8] = [
        "meta", "link", "input", "br", "hr", "col", "!doctype", "img",
    ];
    for (name, html) in every() {
        let mut open: Vec<&str> = Vec::new();
        for tag in tags(&html) {
            let word = tag
                .split([' ', '\n', '/'])
                .find(|word| !word.is_empty())
                .unwrap_or("");
            if let Some(closing) = tag.strip_prefix('/') {
                assert_eq!(
                    open.pop(),
                    Some(closing.trim()),
                    "{name}: </{closing}> after {open:?}"
                );
            } else if !tag.ends_with('/') && !VOID.contains(&word) {
                open.push(word);
            }
        }
        assert!(open.is_empty(), "{name}: {open:?} left open");
    }
}

#[test]
fn every_field_has_a_label_and_every_id_is_the_only_one() {
    for (name, html) in every() {
        let ids: Vec<&str> = tags(&html)
            .into_iter()
            .filter_map(|tag| tag.split_once(" id=\"")?.1.split('"').next())
            .collect();
        for id in &ids {
            assert_eq!(
                ids.iter().filter(|other| other == &id).count(),
                1,
                "{name}: id {id}"
            );
        }
        // A label names what stands in it, too.
        let mut in_label = false;
        for tag in tags(&html) {
            in_label = (in_label || tag == "label" || tag.starts_with("label ")) && tag != "/label";
            let is_field = ["input ", "select ", "textarea "]
                .iter()
                .any(|t| tag.starts_with(t));
            if !is_field || tag.contains("type=\"hidden\"") {
                continue;
            }
            let id = tag
                .split_once(" id=\"")
                .and_then(|(_, rest)| rest.split('"').next());
            let labelled = id.is_some_and(|id| html.contains(&format!(" for=\"{id}\"")));
            assert!(
                labelled || in_label || tag.contains("aria-label=\""),
                "{name}: <{tag}>"
            );
        }
    }
}

#[test]
fn ten_thousand_spans_open_in_less_than_a_megabyte() {
    let reader = data::reader(Lang::En, Theme::Light, Role::Owner);
    let page = trace(&reader, "many", Load::Huge, "").html.unwrap();
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    assert!(
        page.contains("data-window"),
        "the rest is loaded on the way down"
    );
}

#[test]
fn a_long_output_is_shown_by_its_head() {
    let reader = data::reader(Lang::En, Theme::Light, Role::Owner);
    let page = trace(&reader, "long", Load::Overfull, "span=long")
        .html
        .unwrap();
    assert!(page.len() < 200_000, "{} bytes", page.len());
    assert!(page.contains("5.2 MB") && page.contains("all=output"));
}

#[test]
fn a_viewer_is_offered_nothing_that_would_be_refused() {
    let reader = data::reader(Lang::En, Theme::Light, Role::Viewer);
    for html in [
        traces(&reader, Load::Typical).render().unwrap(),
        keys(&reader, false).render().unwrap(),
        members(&reader).render().unwrap(),
        prices(&reader).render().unwrap(),
        expectations(&reader).render().unwrap(),
        scrape_targets(&reader).render().unwrap(),
        ProjectPage::new(&reader).render().unwrap(),
    ] {
        let forms = html.matches("method=\"post\"").count();
        let bulk = html.matches("id=\"bulk\"").count();
        let views = html.matches("id=\"save-view\"").count();
        assert_eq!(
            forms,
            1 + bulk + views,
            "signing out, the form around the list, views of one's own"
        );
        assert!(!html.contains("data-dialog=\"re") && !html.contains("data-dialog=\"delete-many"));
    }
}

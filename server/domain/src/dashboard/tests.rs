use serde_json::{Value, json};

use super::*;
use crate::metrics::{Aggregation, Dimension, Measure};

fn widget(id: u32, (x, y, w, h): (u8, u16, u8, u8)) -> Widget {
    Widget {
        id: WidgetId(id),
        title: format!("w{id}"),
        chart: Chart::Line,
        question: Question::default(),
        place: Place { x, y, w, h },
    }
}

fn document(widgets: Vec<Widget>) -> Document {
    Document {
        name: "Latency".to_owned(),
        description: String::new(),
        widgets,
    }
}

fn places(widgets: &[Widget]) -> Vec<(u32, u8, u16)> {
    let place = |widget: &Widget| (widget.id.0, widget.place.x, widget.place.y);
    widgets.iter().map(place).collect()
}

#[test]
fn a_dashboard_comes_back_from_json_as_it_was() {
    let mut one = widget(3, (0, 0, 6, 4));
    one.question = Question {
        measure: Measure::LatencyMs,
        aggregation: Aggregation::P95,
        by: Some(By::Metadata("team".to_owned())),
        only: vec![
            Only {
                by: By::Dimension(Dimension::Environment),
                operator: OnlyOperator::Is,
                values: vec!["production".to_owned()],
            },
            Only {
                by: By::Dimension(Dimension::Tags),
                operator: OnlyOperator::Present,
                values: Vec::new(),
            },
        ],
        ..Question::default()
    };
    let written = document(vec![one, widget(4, (6, 0, 6, 4))])
        .checked()
        .unwrap();
    let read = Document::from_json(&written.to_json().to_string()).unwrap();
    assert_eq!(read, written);
}

#[test]
fn what_is_wrong_is_named_by_its_path() {
    let whole = document(vec![widget(1, (0, 0, 6, 4))]).to_json();
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut json = whole.clone();
        change(&mut json);
        Document::from_json(&json.to_string()).unwrap_err().message
    };
    for (path, value, part) in [
        ("/name", json!(""), "name must not be empty"),
        ("/name", json!("a\u{0}b"), "control characters"),
        ("/widgets/0/title", json!(" "), "widgets[0].title"),
        ("/widgets/0/measure", json!("value"), "widgets[0].measure"),
        ("/widgets/0/measure", json!("speed"), "unknown variant"),
        (
            "/widgets/0/aggregation",
            json!("histogram"),
            "chart of its own",
        ),
        ("/widgets/0/chart", json!("histogram"), "numbers"),
        ("/widgets/0/chart", json!("heatmap"), "needs groups"),
        ("/widgets/0/top", json!(21), "1 to 20"),
        ("/widgets/0/bins", json!(1), "2 to 50"),
        ("/widgets/0/place/w", json!(13), "12 columns"),
        ("/widgets/0/place/x", json!(7), "12 columns"),
        (
            "/widgets",
            json!(vec![whole["widgets"][0].clone(); 31]),
            "at most 30",
        ),
        (
            "/widgets",
            json!(vec![whole["widgets"][0].clone(); 2]),
            "twice",
        ),
    ] {
        let message = refused(&|json| *json.pointer_mut(path).unwrap() = value.clone());
        assert!(message.contains(part), "{path}: {message}");
    }
    for (by, part) in [
        ("colour", "name a dimension"),
        ("metadata.", "name a dimension"),
        ("trace_id", "each row"),
        ("label", "no dimension"),
        ("tags", "bars and tables"),
    ] {
        let message = refused(&|json| json["widgets"][0]["by"] = json!(by));
        assert!(message.contains(part), "{by}: {message}");
    }
    assert!(refused(&|json| json["wigdets"] = json!([])).contains("unknown field"));
}

#[test]
fn widgets_lie_on_nothing_and_as_high_as_they_can() {
    let mut all = vec![
        widget(1, (0, 0, 6, 4)),
        widget(2, (3, 2, 6, 4)),
        widget(3, (9, 30, 3, 4)),
    ];
    settled(&mut all, None);
    assert_eq!(places(&all), [(1, 0, 0), (3, 9, 0), (2, 3, 4)]);
}

#[test]
fn what_was_moved_stays_and_what_it_lies_on_gives_way() {
    let mut all = vec![widget(1, (0, 0, 6, 4)), widget(2, (0, 0, 6, 4))];
    settled(&mut all, Some(WidgetId(2)));
    assert_eq!(places(&all), [(2, 0, 0), (1, 0, 4)]);
    // Half over the other: below it.
    let mut all = vec![widget(1, (0, 0, 6, 4)), widget(2, (0, 2, 6, 4))];
    settled(&mut all, Some(WidgetId(2)));
    assert_eq!(places(&all), [(1, 0, 0), (2, 0, 4)]);
}

#[test]
fn there_is_always_a_free_id_and_a_free_place() {
    let mut filled = document(vec![widget(7, (0, 0, 6, 4))]);
    assert_eq!(filled.free_id(), WidgetId(1));
    assert_eq!(filled.free_place((6, 4)).y, 4);
    filled.widgets.push(widget(u32::MAX, (0, 4, 6, 4)));
    filled.widgets.push(widget(1, (0, 8, 6, 4)));
    assert_eq!(filled.free_id(), WidgetId(2));
    filled.widgets.clear();
    assert_eq!(
        (filled.free_id(), filled.free_place((6, 4)).y),
        (WidgetId(1), 0)
    );
}

#[test]
fn a_place_outside_is_brought_onto_the_grid() {
    let out = Place {
        x: 200,
        y: 9_999,
        w: 40,
        h: 0,
    };
    assert_eq!(
        out.on_grid(),
        Place {
            x: 0,
            y: 359,
            w: 12,
            h: 2
        }
    );
    assert!(out.on_grid().check().is_ok());
}

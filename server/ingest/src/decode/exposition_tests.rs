//! What exporters write, what they should not write, and anything at all.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";
const OPEN: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

fn read(text: &str) -> RawExposition {
    exposition(TEXT, text.as_bytes()).unwrap()
}

/// The only sample of a text.
fn sample(text: &str) -> RawSample {
    let read = read(text);
    assert_eq!(read.rejected, Rejected::default(), "{text}");
    assert_eq!(read.samples.len(), 1, "{text}");
    read.samples[0].clone()
}

fn labels(sample: &RawSample) -> Vec<(&str, &str)> {
    let labels = sample.labels.iter();
    labels.map(|(name, value)| (&**name, &**value)).collect()
}

#[test]
fn a_sample_has_name_labels_value_and_perhaps_a_time() {
    let found = sample("http_requests:total{method=\"post\",code=\"200\"} 1027 1395066363000");
    assert_eq!(&*found.name, "http_requests:total");
    assert_eq!(labels(&found), [("method", "post"), ("code", "200")]);
    assert_eq!(
        (found.value, found.time_ms),
        (1027.0, Some(1_395_066_363_000))
    );
    let found = sample("up 1");
    assert_eq!(
        (labels(&found), found.value, found.time_ms),
        (vec![], 1.0, None)
    );
}

#[test]
fn texts_are_unescaped_and_may_hold_anything() {
    let found = sample(r#"a{p="C:\\DIR\\F",e="say \"x\"\nnew",o="\d",c="}, ="} 1.458255915e9"#);
    let expected = [
        ("p", "C:\\DIR\\F"),
        ("e", "say \"x\"\nnew"),
        ("o", "\\d"),
        ("c", "}, ="),
    ];
    assert_eq!(labels(&found), expected);
    let found = sample(r#"{"my.name", "a label"="ü", b="c",} 2"#);
    assert_eq!(&*found.name, "my.name");
    assert_eq!(labels(&found), [("a label", "ü"), ("b", "c")]);
}

#[test]
fn blanks_line_ends_and_odd_numbers_are_taken() {
    for text in [
        "a{b=\"c\", d=\"e\"} 1\r\n",
        "a { b = \"c\" , d = \"e\" , } 1",
        "\ta{b=\"c\",d=\"e\"}\t1\n\n\n",
    ] {
        assert_eq!(labels(&sample(text)), [("b", "c"), ("d", "e")], "{text}");
    }
    for (text, value) in [
        ("a +Inf", f64::INFINITY),
        ("a -Inf", f64::NEG_INFINITY),
        ("a 1e+06", 1e6),
        ("a -1", -1.0),
        ("a{} 0x", f64::NAN),
    ] {
        let found = read_line(text, Format::Text, &mut Allowance::new());
        match found {
            Ok(Line::Sample(found)) => assert_eq!(found.value.to_bits(), value.to_bits()),
            _ => assert!(text.ends_with("0x"), "{text}"),
        }
    }
    assert!(sample("a NaN").value.is_nan());
}

#[test]
fn types_are_of_the_whole_family_wherever_they_stand() {
    let text = "h_sum 3\nh_count 2\nh_bucket{le=\"+Inf\"} 2\n# TYPE h histogram\n# HELP h TYPE of h\n\
                # TYPE c counter\nc_total 1\n# TYPE x_total gauge\nx_total 1\ny 1\n# plain words\n#TYPE y gauge";
    let read = read(text);
    let sorts: Vec<u64> = read.samples.iter().map(|sample| sample.sort).collect();
    assert_eq!(sorts, [3, 3, 3, 1, 2, 2]);
}

#[test]
fn open_metrics_has_seconds_units_examples_and_an_end() {
    let text = "# TYPE a_seconds histogram\n# UNIT a_seconds seconds\n\
                a_seconds_bucket{le=\"1\"} 17 1520879607.789 # {trace_id=\"x y\"} 0.67 1.5\n\
                a_seconds_bucket{le=\"2\"} 18 # {} 0.7\n# EOF\nb 1\n";
    let read = exposition(OPEN, text.as_bytes()).unwrap();
    assert_eq!(read.rejected, Rejected::default());
    assert_eq!(read.samples.len(), 2);
    assert_eq!(read.samples[0].time_ms, Some(1_520_879_607_789));
    assert_eq!(
        (&*read.samples[1].unit, read.samples[1].time_ms),
        ("seconds", None)
    );
}

#[test]
fn a_line_that_is_none_costs_itself_and_is_told() {
    for wrong in [
        "a",
        "a{",
        "a{b} 1",
        "a{b=c} 1",
        "a{b=\"c} 1",
        "a{b=\"c\\",
        "a{b=\"c\" d=\"e\"} 1",
        "{b=\"c\"} 1",
        "{} 1",
        "1a 1",
        "a one",
        "a 1 soon",
        "a 1 2 3",
        "<html>",
        "a{\"b\",\"c\"} 1",
    ] {
        let read = read(&format!("good 1\n{wrong}\nbetter 2\n"));
        assert_eq!(read.samples.len(), 2, "{wrong}");
        assert_eq!(read.rejected.count, 1, "{wrong}");
        let reason = read.rejected.reason.unwrap();
        assert!(reason.starts_with("line 2: "), "{reason}");
        assert!(!reason.contains("html"), "nothing of the answer is told");
    }
    let read = exposition(TEXT, b"good 1\n\xff\xfe 1\n").unwrap();
    assert_eq!((read.samples.len(), read.rejected.count), (1, 1));
}

#[test]
fn what_is_no_exposition_at_all_is_refused() {
    for (content_type, body) in [
        ("text/html", "up 1"),
        ("application/json; charset=utf-8", "{}"),
        ("application/vnd.google.protobuf; proto=x", "up 1"),
        (TEXT, "<!doctype html>\n<p>Hello"),
    ] {
        let fault = exposition(content_type, body.as_bytes()).unwrap_err();
        assert_eq!(fault.code, Code::Invalid, "{content_type}");
    }
    assert_eq!(exposition("", b"").unwrap(), RawExposition::default());
    let many = "a 1\n".repeat(MAX_SAMPLES + 1);
    let fault = exposition("", many.as_bytes()).unwrap_err();
    assert_eq!(fault.code, Code::TooLarge);
}

fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    text.replace('\n', "\\n")
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        rows in vec(
            ("[a-zA-Z_:][a-zA-Z0-9_:]{0,12}", vec(("[a-zA-Z_][a-zA-Z0-9_]{0,8}", any::<String>()), 0..5),
                any::<f64>(), proptest::option::of(any::<i64>())),
            0..8,
        ),
    ) {
        let mut text = String::new();
        for (name, labels, value, time) in &rows {
            let labels = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value)));
            let labels: Vec<String> = labels.collect();
            let time = time.map_or_else(String::new, |time| format!(" {time}"));
            text += &format!("{name}{{{}}} {value}{time}\n", labels.join(","));
        }
        let read = read(&text);
        prop_assert_eq!(read.rejected.count, 0, "{}", text);
        prop_assert_eq!(read.samples.len(), rows.len());
        for (sample, (name, pairs, value, time)) in read.samples.iter().zip(&rows) {
            prop_assert_eq!(&*sample.name, name.as_str());
            prop_assert!(sample.value == *value || value.is_nan() && sample.value.is_nan());
            prop_assert_eq!(sample.time_ms, *time);
            let pairs: Vec<_> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            prop_assert_eq!(labels(sample), pairs);
        }
    }

    #[test]
    fn anything_is_read_or_refused(body in vec(any::<u8>(), 0..400), open in any::<bool>()) {
        let _read = exposition(if open { OPEN } else { TEXT }, &body);
    }

    #[test]
    fn lines_made_of_marks_are_read_or_refused(
        words in vec(prop_oneof![
            Just("a"), Just("{"), Just("}"), Just("\""), Just("\\"), Just("="), Just(","), Just("#"), Just(" "),
            Just("\n"), Just("1"), Just("TYPE"), Just("EOF"), Just("é"), Just("\u{0}"), Just("NaN"), Just("\r"),
        ], 0..60),
    ) {
        let text = words.concat();
        for content_type in [TEXT, OPEN] {
            let _read = exposition(content_type, text.as_bytes());
        }
    }
}

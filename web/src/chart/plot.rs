//! Values over pieces of time as pages show them: shapes, ticks, a legend, and what is told of each piece.

use serde_json::json;

use super::scale::{Scale, ScaleTick};
use super::{heat, lane, layers};
use crate::measure::{Unit, written};

/// How series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Each a line.
    Lines,
    /// Areas one upon another.
    Areas,
    /// Columns one upon another.
    Columns,
    /// A row of cells each.
    Heat,
}

/// A series: a value a piece.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    /// What it is called.
    pub(crate) label: String,
    /// Classes of its shape in the style sheet.
    pub(crate) class: &'static str,
    /// Its values, one a piece; `None`: unknown.
    pub(crate) values: Vec<Option<f64>>,
}

/// A shape in a box of 1000 × 100.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    /// Its classes.
    pub(crate) class: String,
    /// Its path.
    pub(crate) path: String,
}

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    /// What it is called.
    pub(crate) label: String,
    /// Classes of its shape.
    pub(crate) class: &'static str,
    /// Whether it is an area, not a line.
    pub(crate) is_area: bool,
}

/// The chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plot {
    /// Shapes, those in front last.
    pub(crate) shapes: Vec<Shape>,
    /// Round values up, the lowest first; of cells the names of rows.
    pub(crate) up: Vec<ScaleTick>,
    /// What is what.
    pub(crate) legend: Vec<Key>,
    /// Of each series its name and what its pieces say, as JSON.
    pub(crate) told: String,
    /// Whether rows have names of their own.
    pub(crate) has_rows: bool,
    /// Whether what is usual lies behind the lines.
    pub(crate) has_band: bool,
}

/// A band makes the scale of lines at most so many times as wide.
const WIDEST: f64 = 2.5;

/// Draws lines over a band: what is usual of the first of them in each piece. The scale reaches over the band, unless that
/// would flatten the lines.
pub(crate) fn draw_over(
    usual: &[Option<(f64, f64)>],
    series: &[Series],
    unit: Unit,
    most: usize,
) -> Option<Plot> {
    let lines = || series.iter().flat_map(|it| it.values.iter().copied());
    let own = Scale::over(lines().flatten(), unit)?;
    let edges = usual.iter().flatten().flat_map(|(low, high)| [*low, *high]);
    // Of shares and counts nothing is below none, whatever the MAD.
    let is_never_below = lines().flatten().all(|value| value >= 0.0);
    let edges = edges.map(|edge| if is_never_below { edge.max(0.0) } else { edge });
    let both = Scale::over(edges.chain(lines().flatten()), unit);
    let both = both.filter(|both| both.spread() <= WIDEST * own.spread());
    let scale = both.unwrap_or(own);
    let mut plot = draw_lines(series, unit, most, scale);
    let path = lane::band(usual, scale);
    if !path.is_empty() {
        let class = "band".to_owned();
        plot.shapes.insert(0, Shape { class, path });
        plot.has_band = true;
    }
    Some(plot)
}

/// Lines on a scale.
fn draw_lines(series: &[Series], unit: Unit, most: usize, scale: Scale) -> Plot {
    let paths = series.iter().map(|it| lane::line(&it.values, scale));
    let shapes = series.iter().zip(paths).map(|(series, path)| Shape {
        class: series.class.to_owned(),
        path,
    });
    Plot {
        // The first series is the one that is looked at: it lies in front.
        shapes: shapes.rev().collect(),
        up: scale.ticks(unit, most, |value| scale.height(value)),
        legend: keys(series, false),
        told: told(series, unit),
        ..Plot::default()
    }
}

fn keys(series: &[Series], is_area: bool) -> Vec<Key> {
    let key = |series: &Series| Key {
        label: series.label.clone(),
        class: series.class,
        is_area,
    };
    series.iter().map(key).collect()
}

/// Draws series of the same pieces; `None` where no value is known. `most` is how many round values stand at the side.
pub(crate) fn draw(form: Form, series: &[Series], unit: Unit, most: usize) -> Option<Plot> {
    let is_known = |series: &Series| series.values.iter().flatten().any(|it| it.is_finite());
    if !series.iter().any(is_known) {
        return None;
    }
    if form == Form::Lines {
        return draw_over(&[], series, unit, most);
    }
    let values: Vec<&[Option<f64>]> = series.iter().map(|it| it.values.as_slice()).collect();
    let mut plot = Plot {
        told: told(series, unit),
        ..Plot::default()
    };
    if form == Form::Heat {
        plot.has_rows = true;
        plot.shapes = (0..)
            .zip(heat::shades(&values))
            .map(|(shade, path)| Shape {
                class: format!("h{shade}"),
                path,
            })
            .collect();
        plot.up = rows(series);
        return Some(plot);
    }
    let scale = Scale::between(0.0, layers::most(&values).max(f64::MIN_POSITIVE) * 1.08);
    let paths = match form {
        Form::Areas => layers::areas(&values, scale),
        _ => layers::columns(&values, scale),
    };
    let shapes = series.iter().zip(paths).map(|(series, path)| Shape {
        class: series.class.to_owned(),
        path,
    });
    plot.shapes = shapes.collect();
    plot.shapes.reverse();
    plot.up = scale.ticks(unit, most, |value| scale.height(value));
    plot.legend = keys(series, true);
    Some(plot)
}

fn rows(series: &[Series]) -> Vec<ScaleTick> {
    let height = 100.0 / series.len().max(1) as f64;
    let row = |(at, series): (usize, &Series)| ScaleTick {
        at: super::number((at as f64 + 0.5) * height),
        text: series.label.clone(),
    };
    series.iter().enumerate().map(row).collect()
}

fn told(series: &[Series], unit: Unit) -> String {
    let of = |value: &Option<f64>| value.map_or_else(String::new, |value| written(unit, value));
    let told: Vec<_> = series
        .iter()
        .map(|it| json!([it.label, it.values.iter().map(of).collect::<Vec<_>>()]))
        .collect();
    json!(told).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(label: &str, values: &[f64]) -> Series {
        Series {
            label: label.to_owned(),
            class: "ln",
            values: values.iter().copied().map(Some).collect(),
        }
    }

    #[test]
    fn every_form_draws_each_series_and_tells_what_its_pieces_say() {
        let two = [series("a", &[1.0, 2.0]), series("b", &[3.0, 5.0])];
        for form in [Form::Lines, Form::Areas, Form::Columns] {
            let plot = draw(form, &two, Unit::Count, 3).unwrap();
            assert_eq!((plot.shapes.len(), plot.legend.len()), (2, 2));
            assert_eq!(plot.told, r#"[["a",["1","2"]],["b",["3","5"]]]"#);
            assert!(!plot.up.is_empty() && plot.up.len() <= 3);
        }
        let heat = draw(Form::Heat, &two, Unit::Count, 3).unwrap();
        assert_eq!(heat.shapes.len(), heat::SHADES);
        assert_eq!(
            (heat.up[0].at.as_str(), heat.up[1].text.as_str()),
            ("25", "b")
        );
    }

    #[test]
    fn a_band_lies_behind_the_lines_on_their_scale() {
        let line = [series("a", &[100.0, 200.0, 300.0, 200.0])];
        let usual = [
            Some((50.0, 150.0)),
            Some((50.0, 150.0)),
            None,
            Some((150.0, 250.0)),
        ];
        let plot = draw_over(&usual, &line, Unit::Count, 3).unwrap();
        assert!(plot.has_band);
        assert_eq!(
            (plot.shapes[0].class.as_str(), plot.shapes.len()),
            ("band", 2)
        );
        // 50 to 300 with 8 % of room above and below: from 30 to 320.
        let y = |value: f64| super::super::number(100.0 - (value - 30.0) / 290.0 * 100.0);
        let (low, high) = (y(50.0), y(150.0));
        let first = format!("M0 {high}H500V{low}H0Z");
        let last = format!("M750 {}H1000V{}H750Z", y(250.0), y(150.0));
        assert_eq!(plot.shapes[0].path, first + &last);
        assert!(
            plot.shapes[1]
                .path
                .starts_with(&format!("M125 {}L", y(100.0)))
        );
        assert_eq!(plot.legend.len(), 1, "the band is told of once on the page");
    }

    #[test]
    fn a_wide_band_does_not_flatten_the_lines_and_none_changes_nothing() {
        let line = [series("a", &[100.0, 110.0])];
        let wide = [Some((0.0, 1_000.0)); 2];
        let (plot, plain) = (
            draw_over(&wide, &line, Unit::Count, 3).unwrap(),
            draw(Form::Lines, &line, Unit::Count, 3).unwrap(),
        );
        assert_eq!(plot.shapes[1], plain.shapes[0]);
        assert_eq!(
            plot.shapes[0].path, "M0 0H1000V100H0Z",
            "it fills the chart"
        );
        assert!(!plain.has_band && plain.shapes.len() == 1);
        // A MAD reaches below zero, the scale does not.
        let low = [series("a", &[1.0, 3.0])];
        let plot = draw_over(&[Some((-4.0, 2.0)); 2], &low, Unit::Count, 3).unwrap();
        assert!(
            plot.shapes[0].path.contains("V100H0Z"),
            "{:?}",
            plot.shapes[0]
        );
        let none = [series("a", &[])];
        assert_eq!(draw_over(&wide, &none, Unit::Count, 3), None);
    }

    #[test]
    fn where_nothing_is_known_nothing_is_drawn() {
        let none = Series {
            values: vec![None, Some(f64::NAN)],
            ..series("a", &[])
        };
        assert_eq!(draw(Form::Lines, &[none], Unit::Ms, 3), None);
        assert_eq!(draw(Form::Columns, &[], Unit::Ms, 3), None);
        assert!(draw(Form::Columns, &[series("a", &[0.0])], Unit::Ms, 3).is_some());
    }
}

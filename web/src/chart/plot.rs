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
}

/// Draws series of the same pieces; `None` where no value is known. `most` is how many round values stand at the side.
pub(crate) fn draw(form: Form, series: &[Series], unit: Unit, most: usize) -> Option<Plot> {
    let is_known = |series: &Series| series.values.iter().flatten().any(|it| it.is_finite());
    if !series.iter().any(is_known) {
        return None;
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
    let scale = match form {
        Form::Lines => Scale::over(
            values.iter().flat_map(|it| it.iter().copied().flatten()),
            unit,
        )?,
        _ => Scale::between(0.0, layers::most(&values).max(f64::MIN_POSITIVE) * 1.08),
    };
    let paths = match form {
        Form::Areas => layers::areas(&values, scale),
        Form::Columns => layers::columns(&values, scale),
        _ => values.iter().map(|it| lane::line(it, scale)).collect(),
    };
    let shapes = series.iter().zip(paths).map(|(series, path)| Shape {
        class: series.class.to_owned(),
        path,
    });
    plot.shapes = shapes.collect();
    // The first series is the one that is looked at: it lies in front.
    plot.shapes.reverse();
    plot.up = scale.ticks(unit, most, |value| scale.height(value));
    plot.legend = series
        .iter()
        .map(|series| Key {
            label: series.label.clone(),
            class: series.class,
            is_area: form != Form::Lines,
        })
        .collect();
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

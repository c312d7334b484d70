//! A dashboard as JSON: what is exported, imported, kept, and what programs read and write.

use serde::{Deserialize, Serialize};

use super::{
    By, Chart, Document, Only, OnlyOperator, Pieces, Place, Question, Widget, WidgetId, within,
    wrong,
};
use crate::Fault;
use crate::metrics::{Aggregation, Measure, View};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDocument {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    widgets: Vec<WrittenWidget>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenWidget {
    id: u32,
    title: String,
    chart: Chart,
    view: View,
    measure: Measure,
    aggregation: Aggregation,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    only: Vec<WrittenOnly>,
    #[serde(default = "usual_top")]
    top: u8,
    #[serde(default)]
    pieces: Pieces,
    #[serde(default = "usual_bins")]
    bins: u8,
    place: Place,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenOnly {
    by: String,
    operator: OnlyOperator,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
}

fn usual_top() -> u8 {
    Question::default().top
}

fn usual_bins() -> u8 {
    Question::default().bins
}

impl Document {
    /// As JSON.
    pub fn to_json(&self) -> serde_json::Value {
        let written = WrittenDocument {
            name: self.name.clone(),
            description: self.description.clone(),
            widgets: self.widgets.iter().map(WrittenWidget::from).collect(),
        };
        // Texts and numbers: there is nothing in it that JSON cannot hold.
        serde_json::to_value(written).unwrap_or_default()
    }

    /// From JSON, checked.
    ///
    /// # Errors
    /// `invalid`, naming what is wrong.
    pub fn from_json(json: &str) -> Result<Self, Fault> {
        let written: WrittenDocument =
            serde_json::from_str(json).map_err(|error| wrong("json", &error.to_string()))?;
        let mut widgets = Vec::new();
        for (at, widget) in written.widgets.into_iter().enumerate() {
            widgets.push(widget.read().map_err(|fault| within(at, &fault))?);
        }
        let document = Document {
            name: written.name,
            description: written.description,
            widgets,
        };
        document.checked()
    }
}

impl From<&Widget> for WrittenWidget {
    fn from(widget: &Widget) -> Self {
        let question = &widget.question;
        let only = question.only.iter().map(|only| WrittenOnly {
            by: only.by.to_string(),
            operator: only.operator,
            values: only.values.clone(),
        });
        WrittenWidget {
            id: widget.id.0,
            title: widget.title.clone(),
            chart: widget.chart,
            view: question.view,
            measure: question.measure,
            aggregation: question.aggregation,
            by: question.by.as_ref().map(ToString::to_string),
            only: only.collect(),
            top: question.top,
            pieces: question.pieces,
            bins: question.bins,
            place: widget.place,
        }
    }
}

impl WrittenWidget {
    fn read(self) -> Result<Widget, Fault> {
        let by = |name: &str| {
            By::parse(name)
                .ok_or_else(|| wrong("by", "name a dimension of the view, or metadata.KEY"))
        };
        let mut only = Vec::new();
        for written in self.only {
            only.push(Only {
                by: by(&written.by)?,
                operator: written.operator,
                values: written.values,
            });
        }
        Ok(Widget {
            id: WidgetId(self.id),
            title: self.title,
            chart: self.chart,
            question: Question {
                view: self.view,
                measure: self.measure,
                aggregation: self.aggregation,
                by: self.by.as_deref().map(by).transpose()?,
                only,
                top: self.top,
                pieces: self.pieces,
                bins: self.bins,
            },
            place: self.place,
        })
    }
}

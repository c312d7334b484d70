//! What calls of models came to, step by step.

use std::collections::BTreeMap;

use domain::axes::query::Steps;
use domain::metrics::{Group, Row, Value};
use domain::span::SpanKind;

use super::panels::Desk;

/// Models with an area of their own.
const MODELS: usize = 2;

/// What calls of a model came to, step by step.
#[derive(Clone, Default)]
pub(super) struct Sums {
    pub(super) calls: Vec<f64>,
    pub(super) input: Vec<f64>,
    pub(super) output: Vec<f64>,
    pub(super) cost: Vec<f64>,
}

impl Sums {
    fn of(count: usize) -> Self {
        Sums {
            calls: vec![0.0; count],
            input: vec![0.0; count],
            output: vec![0.0; count],
            cost: vec![0.0; count],
        }
    }

    fn add(&mut self, step: usize, values: [f64; 4]) {
        let columns = [
            &mut self.calls,
            &mut self.input,
            &mut self.output,
            &mut self.cost,
        ];
        for (column, value) in columns.into_iter().zip(values) {
            if let Some(cell) = column.get_mut(step) {
                *cell += value;
            }
        }
    }
}

impl Desk<'_> {
    /// The models with the most, and all others as one.
    pub(super) fn most(
        &self,
        by_model: &[(String, Sums)],
        column: impl Fn(&Sums) -> &Vec<f64>,
    ) -> Vec<(String, Vec<f64>)> {
        let mut models: Vec<(String, Vec<f64>)> = by_model
            .iter()
            .map(|(name, sums)| (name.clone(), column(sums).clone()))
            .filter(|(_, sums)| sums.iter().any(|sum| *sum > 0.0))
            .collect();
        let total = |sums: &[f64]| sums.iter().sum::<f64>();
        models.sort_by(|one, other| total(&other.1).total_cmp(&total(&one.1)));
        let rest = models.split_off(models.len().min(MODELS + 1));
        if let Some((name, last)) = models.get_mut(MODELS).filter(|_| !rest.is_empty()) {
            *name = self.lang.fill("{} more", &[&(rest.len() + 1).to_string()]);
            for (_, sums) in &rest {
                for (cell, sum) in last.iter_mut().zip(sums) {
                    *cell += sum;
                }
            }
        }
        models
    }

    /// All calls, and those of each model.
    pub(super) fn sums(&self) -> (Sums, Vec<(String, Sums)>) {
        let steps = &self.told.steps;
        let count = usize::try_from(steps.count()).unwrap_or(0);
        let mut all = Sums::of(count);
        let mut by_model: BTreeMap<String, Sums> = BTreeMap::new();
        for row in &self.told.by_model {
            let (Some(step), [Group::Text(model), Group::Text(kind)]) =
                (step_of(row, steps), row.groups.as_slice())
            else {
                continue;
            };
            let is_request = kind.as_deref() == Some(SpanKind::Generation.as_str());
            let number = |at: usize| match row.values.get(at) {
                Some(Value::Number(Some(number))) => *number,
                _ => 0.0,
            };
            let calls = if is_request { number(0) } else { 0.0 };
            let values = [calls, number(1), number(2), number(3)];
            let name = model.clone();
            let name = name.unwrap_or_else(|| self.lang.t("no model").to_owned());
            all.add(step, values);
            by_model
                .entry(name)
                .or_insert_with(|| Sums::of(count))
                .add(step, values);
        }
        (all, by_model.into_iter().collect())
    }
}

fn step_of(row: &Row, steps: &Steps) -> Option<usize> {
    let time = row.time.filter(|time| *time >= steps.from)?;
    usize::try_from((time - steps.from).0 / steps.step.0.max(1)).ok()
}

//! What caches save: prompt caches of providers by the ledger, those of one's own engines by their metrics, and caches
//! of whole answers by the calls that they answered.

use std::collections::BTreeMap;

use domain::axes::query::Steps;
use domain::axes::{Ask, AxisLine, AxisSeries, Dimension as AxisDimension};
use domain::comparison::Test;
use domain::cost::{Bucket, CacheSaving, CachedTokens, answers_saving, cache_saving};
use domain::filter::Filter;
use domain::metrics::{
    Aggregation, Condition, Cut, Dimension, Draft, Field, Granularity, Group, Measure, Metric, Row,
    Value, View,
};
use domain::{Fault, Timestamp, Usd};

use crate::app::App;
use crate::scope::ProjectScope;
use crate::{axes, metrics, prices};

/// Models with kinds of usage that are read.
const MOST: u32 = 5_000;
/// What engines say of their prefix caches.
const HIT_RATE: &str = "token.prefix_cache_hit_rate:avg";

/// What a model's calls read from the provider's cache.
#[derive(Clone, Debug, PartialEq)]
pub struct CachedModel {
    /// The model.
    pub model: String,
    /// Who served it; empty where unknown.
    pub provider: String,
    /// All input tokens, cached ones included.
    pub input_tokens: u64,
    /// Those read from the cache, and those put into it.
    pub tokens: CachedTokens,
    /// What that saved; `None` without a price.
    pub saving: Option<CacheSaving>,
}

/// What the caches of providers did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProviderCaches {
    /// By model, those with the most tokens from the cache first.
    pub models: Vec<CachedModel>,
    /// Beginnings of the pieces of time.
    pub pieces: Vec<Timestamp>,
    /// Tokens read from caches in each piece.
    pub read: Vec<f64>,
    /// Tokens put into caches in each piece.
    pub written: Vec<f64>,
}

/// What a cache of answers gave in place of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct CachedAnswers {
    /// The model that was asked for.
    pub model: String,
    /// Who would have served it; empty where unknown.
    pub provider: String,
    /// Calls that were answered from the cache.
    pub calls: u64,
    /// Calls whose instrumentation says whether they were.
    pub asked: u64,
    /// What the model would have cost; `None` without a price, or where no tokens are told.
    pub saving: Option<Usd>,
}

/// By model what caches of answers gave over from ≤ t < to, and what that saved by the prices that hold at the end;
/// the most answers first. Nothing where no call says whether a cache answered.
///
/// # Errors
/// As [`providers`].
pub async fn answers(
    app: &App,
    scope: &ProjectScope,
    (from, to): (Timestamp, Timestamp),
) -> Result<Vec<CachedAnswers>, Fault> {
    let told = |values: &[&str]| {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        let field = Field::Dimension(Dimension::FromCache);
        let test = Test::AnyOf(values);
        vec![Condition { field, test }]
    };
    let calls = Draft {
        metrics: vec![Metric {
            measure: Measure::Count,
            aggregation: Aggregation::Sum,
        }],
        conditions: told(&["true", "false"]),
        limit: Some(MOST),
        ..usage(
            &[Dimension::Model, Dimension::Provider, Dimension::FromCache],
            (from, to),
        )
    };
    let used = Draft {
        conditions: told(&["true"]),
        limit: Some(MOST),
        ..usage(
            &[Dimension::Model, Dimension::Provider, Dimension::UsageKind],
            (from, to),
        )
    };
    let (calls, used, pricer) = tokio::join!(
        ask(app, scope, calls),
        ask(app, scope, used),
        prices::of_project(app, scope),
    );
    let used = used?;
    let mut answers = answered(&calls?);
    for answer in &mut answers {
        let of_it = |row: &&Row| {
            text(row, 0) == answer.model.as_str() && text(row, 1) == answer.provider.as_str()
        };
        let of_it = used.iter().filter(of_it);
        let kinds = of_it.map(|row| (text(row, 2).to_owned(), tokens(row) as u64));
        let kinds: BTreeMap<String, u64> = kinds.collect();
        let provider = Some(answer.provider.as_str()).filter(|name| !name.is_empty());
        let name = (provider, answer.model.as_str());
        answer.saving = pricer
            .as_ref()
            .and_then(|pricer| answers_saving(pricer.book(), name, to, &kinds));
    }
    Ok(answers)
}

fn answered(rows: &[Row]) -> Vec<CachedAnswers> {
    let mut models: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
    for row in rows {
        let counts = models.entry((text(row, 0), text(row, 1))).or_default();
        let calls = tokens(row) as u64;
        counts.0 += if text(row, 2) == "true" { calls } else { 0 };
        counts.1 += calls;
    }
    let answers = models.into_iter().filter(|(_, (calls, _))| *calls > 0);
    let answers = answers.map(|((model, provider), (calls, asked))| CachedAnswers {
        model: model.to_owned(),
        provider: provider.to_owned(),
        calls,
        asked,
        saving: None,
    });
    let mut answers: Vec<CachedAnswers> = answers.collect();
    answers.sort_by_key(|answer| std::cmp::Reverse(answer.calls));
    answers
}

/// The text of a group; empty where there is none.
fn text(row: &Row, group: usize) -> &str {
    match row.groups.get(group) {
        Some(Group::Text(Some(text))) => text,
        _ => "",
    }
}

/// By model what was read from the caches of providers over from ≤ t < to, and what that saved by the prices
/// that hold at the end.
///
/// # Errors
/// `invalid` for an empty range; `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn providers(
    app: &App,
    scope: &ProjectScope,
    (from, to): (Timestamp, Timestamp),
) -> Result<ProviderCaches, Fault> {
    let by_model = Draft {
        limit: Some(MOST),
        ..usage(
            &[Dimension::Model, Dimension::Provider, Dimension::UsageKind],
            (from, to),
        )
    };
    let over_time = Draft {
        cut: Some(Cut::By(Granularity::fit(from, to))),
        ..usage(&[Dimension::UsageKind], (from, to))
    };
    let (by_model, over_time, pricer) = tokio::join!(
        ask(app, scope, by_model),
        ask(app, scope, over_time),
        prices::of_project(app, scope),
    );
    let mut models = models(&by_model?);
    for model in &mut models {
        let provider = Some(model.provider.as_str()).filter(|name| !name.is_empty());
        let name = (provider, model.model.as_str());
        model.saving = pricer
            .as_ref()
            .and_then(|pricer| cache_saving(pricer.book(), name, to, model.tokens));
    }
    let mut pieces: BTreeMap<Timestamp, (f64, f64)> = BTreeMap::new();
    for row in &over_time? {
        let Some(time) = row.time else { continue };
        let piece = pieces.entry(time).or_default();
        match side(row.groups.first()) {
            Some(Side::Read) => piece.0 += tokens(row),
            Some(Side::Written) => piece.1 += tokens(row),
            Some(Side::Fresh) | None => {}
        }
    }
    Ok(ProviderCaches {
        models,
        read: pieces.values().map(|piece| piece.0).collect(),
        written: pieces.values().map(|piece| piece.1).collect(),
        pieces: pieces.into_keys().collect(),
    })
}

/// The share of prompt tokens that engines of one's own did not compute again, a line for each instance, with the
/// steps of all; no line where no engine tells it.
///
/// # Errors
/// As [`providers`].
pub async fn engines(
    app: &App,
    scope: &ProjectScope,
    (from, to): (Timestamp, Timestamp),
) -> Result<(Vec<AxisLine>, Steps), Fault> {
    let steps = Steps::new((from, to), None)?;
    let ask = Ask {
        series: AxisSeries::parse(HIT_RATE)?,
        only: Vec::new(),
        group_by: vec![AxisDimension::Instance],
    };
    let filter = Filter {
        from: Some(from),
        to: Some(to),
        ..Filter::default()
    };
    let answer = axes::lines(app, scope, (&filter, &steps), vec![ask]).await?;
    let lines = answer.answers.into_iter().next().unwrap_or_default();
    let told = |line: &AxisLine| line.values.iter().any(Option::is_some);
    Ok((lines.into_iter().filter(told).collect(), steps))
}

/// Which kind of input tokens are.
enum Side {
    Fresh,
    Read,
    Written,
}

fn side(kind: Option<&Group>) -> Option<Side> {
    let Some(Group::Text(Some(kind))) = kind else {
        return None;
    };
    let bucket = Bucket::known(kind).or_else(|| Bucket::from_usage(kind))?;
    match bucket {
        Bucket::CacheRead | Bucket::CacheReadAudio | Bucket::CacheReadImage => Some(Side::Read),
        Bucket::CacheWrite
        | Bucket::CacheWrite5m
        | Bucket::CacheWrite1h
        | Bucket::CacheWrite12h
        | Bucket::CacheWriteAudio => Some(Side::Written),
        other => other.is_input().then_some(Side::Fresh),
    }
}

fn models(rows: &[Row]) -> Vec<CachedModel> {
    let mut models: BTreeMap<(String, String), CachedModel> = BTreeMap::new();
    for row in rows {
        let Some(side) = side(row.groups.get(2)) else {
            continue;
        };
        let (model, provider) = (text(row, 0).to_owned(), text(row, 1).to_owned());
        let known = models.entry((model.clone(), provider.clone()));
        let known = known.or_insert_with(|| CachedModel {
            model,
            provider,
            input_tokens: 0,
            tokens: CachedTokens::default(),
            saving: None,
        });
        let tokens = tokens(row) as u64;
        known.input_tokens = known.input_tokens.saturating_add(tokens);
        match side {
            Side::Read => known.tokens.read = known.tokens.read.saturating_add(tokens),
            Side::Written => known.tokens.written = known.tokens.written.saturating_add(tokens),
            Side::Fresh => {}
        }
    }
    let used = |model: &CachedModel| model.tokens != CachedTokens::default();
    let mut models: Vec<CachedModel> = models.into_values().filter(used).collect();
    models.sort_by_key(|model| std::cmp::Reverse(model.tokens.read));
    models
}

fn usage(dimensions: &[Dimension], (from, to): (Timestamp, Timestamp)) -> Draft {
    Draft {
        view: View::Observations,
        dimensions: dimensions.to_vec(),
        by_metadata: Vec::new(),
        metrics: vec![Metric {
            measure: Measure::UsageByKind,
            aggregation: Aggregation::Sum,
        }],
        // What a cache of answers repeats, no provider counted.
        conditions: vec![Condition {
            field: Field::Dimension(Dimension::FromCache),
            test: Test::NoneOf(vec!["true".to_owned()]),
        }],
        cut: None,
        from,
        to,
        order: Vec::new(),
        limit: None,
        bins: 10,
    }
}

async fn ask(app: &App, scope: &ProjectScope, draft: Draft) -> Result<Vec<Row>, Fault> {
    let query = draft.check();
    let query = query.map_err(|error| Fault::invalid(error.to_string()))?;
    metrics::rows(app, scope, &query).await
}

fn tokens(row: &Row) -> f64 {
    match row.values.first() {
        Some(Value::Number(Some(number))) => number.max(0.0),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(model: &str, kind: &str, tokens: f64) -> Row {
        let text = |text: &str| Group::Text(Some(text.to_owned()));
        Row {
            groups: vec![text(model), Group::Text(None), text(kind)],
            time: None,
            values: vec![Value::Number(Some(tokens))],
        }
    }

    #[test]
    fn calls_that_were_answered_stand_beside_all_that_asked() {
        let found = answered(&[
            row("a", "true", 3.0),
            row("a", "false", 9.0),
            row("b", "false", 5.0),
        ]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].calls, found[0].asked), (3, 12));
    }

    #[test]
    fn kinds_of_usage_are_read_from_written_to_or_beside_the_cache() {
        let found = models(&[
            row("a", "input", 100.0),
            row("a", "cache_read", 300.0),
            row("a", "cache_write_5m", 50.0),
            row("a", "output", 1_000.0),
            row("b", "input", 10.0),
        ]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].input_tokens, 450);
        let expected = CachedTokens {
            read: 300,
            written: 50,
        };
        assert_eq!(found[0].tokens, expected);
    }
}

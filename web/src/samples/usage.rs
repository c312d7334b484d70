//! Pages of sessions, users, costs and caches with made-up data.

use std::collections::HashMap;

use domain::comment::{Comment, CommentDraft, CommentedKind};
use domain::cost::{CacheSaving, CachedTokens};
use domain::metrics::{Row, Value};
use domain::rollup::{Place, Rollup, RollupBy, RollupPage};
use domain::score::Judgements;
use domain::session::{Said, Step, Turn, Turns};
use domain::span::SpanKind;
use domain::{CommentId, Fault, Nanos, SpanId, Timestamp, TraceId, Usd};
use rust_decimal::Decimal;
use service::caches::{CachedAnswers, CachedModel, ProviderCaches};
use service::costs::{CostReport, CostRow, Spent};
use uuid::Uuid;

use super::data::{now, spans, summaries};
use super::{HOSTILE, Sample, sample};
use crate::chart::stack;
use crate::extract::{Pairs, Reader};
use crate::pages::costs::query::CostQuery;
use crate::pages::costs::{CachePage, CostsPage, EngineCaches};
use crate::pages::sessions::query::RollupState;
use crate::pages::sessions::{ReplayPage, SessionsPage, Told};
use crate::pages::traces::query::ListQuery;
use crate::pages::users::{ToldOfUser, UserPage, UsersPage};

/// All of them.
pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    made(reader).unwrap_or_default()
}

fn made(reader: &Reader) -> Result<Vec<Sample>, Fault> {
    let state = |address: &str| {
        let pairs = Pairs::parse(address.as_bytes());
        RollupState::read(RollupBy::Session, &pairs, reader.zone()).map(|read| read.state)
    };
    let hostile: String = form_urlencoded::byte_serialize(HOSTILE.as_bytes()).collect();
    let narrowed = state(&format!("q={hostile}&f=user_id:is:{hostile}&sort=cost"))?;
    let plain = RollupState::default();
    let page = |rows: Vec<Rollup>| RollupPage {
        next: rows.last().map(|row| Place {
            rank: 7,
            id: row.id.clone(),
        }),
        rows,
    };
    let (none, some, odd) = (
        || page(Vec::new()),
        || page((0..24).map(rollup).collect()),
        || page(vec![hostile_rollup(), rollup(1)]),
    );
    let sessions = |state: &RollupState, page| SessionsPage::new(reader, state, page, now());
    let seen = HashMap::new();
    let users = |state: &RollupState, page| UsersPage::new(reader, state, (page, &seen), now());
    let replay = |told: Told| ReplayPage::new(reader, &told, now());
    let mut samples = vec![
        sample("sessions", &sessions(&plain, some())),
        sample("sessions-none", &sessions(&plain, none())),
        sample("sessions-overfull", &sessions(&narrowed, odd())),
        sample("session", &replay(told("s_7Qd2kV", 8)?)),
        sample("session-overfull", &replay(told(HOSTILE, 400)?)),
        sample("users", &users(&plain, some())),
        sample("users-none", &users(&narrowed, none())),
        sample("users-overfull", &users(&narrowed, odd())),
    ];
    for (name, id) in [("user", "u_19c4e"), ("user-overfull", HOSTILE)] {
        let query = ListQuery::default();
        let page = UserPage::new(reader, &query, &of_user(id, query.bounds(now())), now());
        samples.push(sample(name, &page));
    }
    let query = CostQuery::default();
    let range = query.list.bounds(now());
    for (name, rows) in [("costs", 9), ("costs-none", 0)] {
        let report = costs(range, rows);
        samples.push(sample(
            name,
            &CostsPage::new(reader, &query, &report, now()),
        ));
    }
    let only = format!("by=user&only=model:gpt-5-mini&only=tenant:&without=user:{hostile}");
    let (narrowed_costs, _) = CostQuery::read(&Pairs::parse(only.as_bytes()), reader.zone())?;
    let report = costs(narrowed_costs.list.bounds(now()), 9);
    samples.push(sample(
        "costs-overfull",
        &CostsPage::new(reader, &narrowed_costs, &report, now()),
    ));
    let (_, starts) = stack::pieces(range);
    let engines = EngineCaches {
        lines: Vec::new(),
        starts,
    };
    let answers = |calls: u64, saving| CachedAnswers {
        model: "gpt-5-mini".to_owned(),
        provider: "openai".to_owned(),
        calls,
        asked: 12 * calls,
        saving,
    };
    let answers = [answers(1_240, Some(usd(3_817))), answers(12, None)];
    for (name, caches, answers) in [
        ("cache", caches(range), answers.as_slice()),
        ("cache-none", ProviderCaches::default(), &[]),
    ] {
        let told = (&caches, &engines, answers);
        let page = CachePage::new(reader, &query.list, told, now());
        samples.push(sample(name, &page));
    }
    Ok(samples)
}

fn usd(millis: i64) -> Usd {
    Usd(Decimal::new(millis, 3))
}

fn before(seconds: u64) -> Timestamp {
    now().minus(Nanos::from_seconds(seconds))
}

fn rollup(number: u64) -> Rollup {
    Rollup {
        id: format!("s_{number:04}"),
        first: before(900 + 60 * number),
        last: before(60 * number),
        end: Some(before(50 * number)),
        traces: 3 + number,
        failed_traces: number % 3,
        sessions: 2,
        users: vec![format!("u_{number}"), "u_other".to_owned()],
        environments: vec!["production".to_owned()],
        input_tokens: Some(10_000 * number),
        output_tokens: (!number.is_multiple_of(4)).then_some(900 * number),
        cost: (!number.is_multiple_of(5)).then(|| usd(37)),
        unpriced_calls: number % 2,
        failed_checks: number % 2,
        scores: number,
        score_mean: (number > 0).then_some(0.86),
        low_scores: 0,
    }
}

fn hostile_rollup() -> Rollup {
    Rollup {
        id: HOSTILE.to_owned(),
        users: vec![HOSTILE.to_owned()],
        environments: vec![HOSTILE.to_owned()],
        traces: u64::MAX,
        failed_traces: u64::MAX,
        input_tokens: Some(u64::MAX),
        cost: Some(usd(i64::MAX)),
        ..rollup(3)
    }
}

fn told(id: &str, count: u64) -> Result<Told, Fault> {
    let turns: Vec<Turn> = (0..count).map(turn).collect::<Result<_, _>>()?;
    let said = turns.iter().take(20).enumerate();
    let said: Vec<Said> = said
        .map(|(at, turn)| said_in(turn, at))
        .collect::<Result<_, _>>()?;
    let comment = Comment {
        id: CommentId(Uuid::from_u128(5)),
        draft: CommentDraft {
            kind: CommentedKind::Session,
            object_id: id.to_owned(),
            content: HOSTILE.to_owned(),
            author: None,
        },
        created_at: before(60),
        updated_at: before(60),
    };
    Ok(Told {
        id: id.to_owned(),
        chosen: 5,
        from: 0,
        said,
        judgements: Judgements::default(),
        remarks: (Vec::new(), vec![comment]),
        turns: Turns {
            turns,
            left_out: count / 100,
        },
    })
}

fn turn(number: u64) -> Result<Turn, Fault> {
    let gap = if number > 2 { 360 } else { 0 };
    let start = before(80_000).plus(Nanos::from_seconds(60 * number + gap));
    let id = TraceId::from_text(&format!("turn-{number}"));
    Ok(Turn {
        trace_id: id.map_err(|error| Fault::invalid(error.to_string()))?,
        name: "support.turn".to_owned(),
        start,
        end: (number != 4).then(|| start.plus(Nanos::from_seconds(2 + number % 7))),
        user_id: Some("u_19c4e".to_owned()),
        environment: "production".to_owned(),
        errors: u64::from(number == 5),
        failed_checks: u64::from(number == 6),
        low_scores: u64::from(number == 6),
        input_tokens: Some(14_204),
        output_tokens: Some(611),
        cost: Some(usd(21)),
        unpriced_calls: 0,
    })
}

fn said_in(turn: &Turn, at: usize) -> Result<Said, Fault> {
    let all = spans();
    let speaker = all.iter().find(|span| span.output.is_some()).cloned();
    let step = |number: usize| {
        let id = SpanId::from_text(&format!("step-{number}"));
        let start = turn.start.plus(Nanos::from_millis(200 * number as u64));
        Ok(Step {
            span_id: id.map_err(|error| Fault::invalid(error.to_string()))?,
            name: if at == 5 { HOSTILE } else { "search kb" }.to_owned(),
            kind: SpanKind::Retriever,
            start,
            end: Some(start.plus(Nanos::from_millis(180))),
            failed: at == 5 && number == 1,
        })
    };
    Ok(Said {
        trace_id: turn.trace_id.clone(),
        asked: speaker.clone().filter(|_| at != 3),
        answered: speaker.filter(|_| at != 5),
        steps: (0..3).map(step).collect::<Result<_, Fault>>()?,
        error: (at == 5).then(|| HOSTILE.to_owned()),
        models: vec!["qwen3-32b".to_owned()],
        prompt: Some(("support.answer".to_owned(), "18".to_owned())),
        ttft_ms: Some(1_550.0),
    })
}

fn of_user(id: &str, range: (Timestamp, Timestamp)) -> ToldOfUser {
    let (_, starts) = stack::pieces(range);
    let row = |(at, start): (usize, &Timestamp)| Row {
        groups: Vec::new(),
        time: Some(*start),
        values: [3.0, 0.02, 900.0]
            .map(|value| Value::Number(Some(value * (at % 5) as f64)))
            .into(),
    };
    ToldOfUser {
        id: id.to_owned(),
        rollup: Some(rollup(3)),
        seen: (before(9_000_000), before(60)),
        over_time: starts.iter().enumerate().map(row).collect(),
        sessions: vec![rollup(1), hostile_rollup()],
        traces: summaries().into_iter().take(6).collect(),
    }
}

fn costs(range: (Timestamp, Timestamp), rows: usize) -> CostReport {
    let (_, pieces) = stack::pieces(range);
    let spent = |share: f64| Spent {
        cost: Some(12.5 * share),
        input_tokens: Some(1.2e6 * share),
        output_tokens: Some(8e4 * share),
        calls: (900.0 * share).round(),
        unpriced_calls: 0.0,
    };
    let row = |at: usize| CostRow {
        key: vec![match at {
            0 => "qwen3-32b".to_owned(),
            1 => HOSTILE.to_owned(),
            2 => String::new(),
            at => format!("model-{at}"),
        }],
        spent: spent(0.5f64.powi(1 + at as i32)),
        before: (at % 3 != 1).then_some(2.0),
        over_time: match at < 5 {
            true => pieces.iter().map(|_| 0.05).collect(),
            false => Vec::new(),
        },
    };
    CostReport {
        total: Spent {
            unpriced_calls: 3.0,
            ..spent(if rows == 0 { 0.0 } else { 1.0 })
        },
        before: spent(0.8),
        rows: (0..rows).map(row).collect(),
        goes_on: rows > 0,
        costs: pieces.iter().map(|_| 0.5).collect(),
        tokens: pieces.iter().map(|_| 9_000.0).collect(),
        pieces,
    }
}

fn caches(range: (Timestamp, Timestamp)) -> ProviderCaches {
    let (_, pieces) = stack::pieces(range);
    let model = |name: &str, is_priced: bool| CachedModel {
        model: name.to_owned(),
        provider: "anthropic".to_owned(),
        input_tokens: 1_000_000,
        tokens: CachedTokens {
            read: 640_000,
            written: 12_000,
        },
        saving: is_priced.then(|| CacheSaving {
            reads: usd(1728),
            writes: usd(9),
        }),
    };
    ProviderCaches {
        models: vec![model("claude-sonnet-4-5", true), model(HOSTILE, false)],
        read: pieces.iter().map(|_| 26_000.0).collect(),
        written: pieces.iter().map(|_| 500.0).collect(),
        pieces,
    }
}

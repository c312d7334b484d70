//! Lines as engines write them, and lines that only look like them.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::span::Scope;

fn line(text: &str) -> Option<EngineLine> {
    read_text(text, "")
}

#[test]
fn vllm_tells_of_a_request_from_its_arrival_to_its_end() {
    let text = "INFO 10-02 13:00:42 logger.py:36] Received request cmpl-3ab8b1fe-0: prompt: 'Who, prompt_token_ids: [1], \
        params: x', params: SamplingParams(n=1, max_tokens=200, min_tokens=0), prompt_token_ids: [6526, 349, 8526], \
        lora_request: None, prompt_adapter_request: None.";
    let received = line(text).unwrap();
    assert_eq!((received.backend, received.event), ("vllm", "received"));
    assert_eq!(received.request_id.as_deref(), Some("cmpl-3ab8b1fe-0"));
    assert_eq!(
        (received.input_tokens, received.max_tokens),
        (Some(3), Some(200))
    );
    let text = "(APIServer pid=90458) INFO 02-13 11:33:33 [async_llm.py:382] Added request chatcmpl-a269-a8a65d16.";
    let added = line(text).unwrap();
    assert_eq!((added.event, added.input_tokens), ("added", None));
    assert_eq!(added.request_id.as_deref(), Some("chatcmpl-a269-a8a65d16"));
    let text = "Generated response chatcmpl-a (streaming complete): output: 'finish_reason: no', \
        output_token_ids: [1, 2, 3, 4], finish_reason: stop";
    assert_eq!(line(text), None, "anybody may say such words");
    let generated = read_text(text, "vllm.entrypoints.logger").unwrap();
    assert_eq!(generated.output_tokens, Some(4));
    assert_eq!(generated.finish_reason.as_deref(), Some("stop"));
    for (text, event) in [
        ("INFO [async_llm.py:1] Aborted request a.", "aborted"),
        (
            "INFO [async_llm.py:1] Request a failed (bad request).",
            "failed",
        ),
        (
            "INFO [async_llm_engine.py:1] Finished request a.",
            "finished",
        ),
    ] {
        let found = line(text).unwrap();
        assert_eq!(
            (found.event, found.request_id.as_deref()),
            (event, Some("a"))
        );
    }
    let json = r#"{"level":"INFO","message":"INFO [async_llm.py:1] Added request a."}"#;
    assert_eq!(line(json).unwrap().event, "added");
}

#[test]
fn tgi_tells_how_long_each_part_took() {
    let text = "2024-05-01T00:00:00.000000Z  INFO generate{parameters=GenerateParameters { best_of: None, \
        max_new_tokens: Some(20), stop: [\"a\\\" total_time=\"] } total_time=\"1.5s\" validation_time=\"250.5µs\" \
        queue_time=\"45.6ms\" inference_time=\"1.4s\" time_per_token=\"14ms\" seed=\"None\"}: \
        text_generation_router::server: router/src/server.rs:324: Success";
    let found = line(text).unwrap();
    assert_eq!((found.backend, found.event), ("tgi", "finished"));
    assert_eq!((found.e2e_ms, found.queue_ms), (Some(1_500.0), Some(45.6)));
    assert_eq!(
        (found.validation_ms, found.tpot_ms),
        (Some(0.2505), Some(14.0))
    );
    assert_eq!((found.max_tokens, found.request_id), (Some(20), None));
    let json = r#"{"level":"INFO","message":"Success","target":"text_generation_router::server",
        "span":{"name":"generate","total_time":"2s","queue_time":"1ms"},"spans":[{"name":"generate"}]}"#;
    let found = line(json).unwrap();
    assert_eq!((found.e2e_ms, found.queue_ms), (Some(2_000.0), Some(1.0)));
}

#[test]
fn triton_tells_of_a_request_with_its_model() {
    let text = "I0829 15:14:17.169611 1 infer_request.cc:729] [request id: G-bf9acb9e] prepared: [0x0x7efe841eb340] \
        request id: G-bf9acb9e, model: diarization, requested version: 1, actual version: 1, flags: 0x0, \
        correlation id: 0, batch size: 8, priority: 0, timeout (us): 0";
    let found = line(text).unwrap();
    assert_eq!((found.backend, found.event), ("triton", "received"));
    assert_eq!(found.request_id.as_deref(), Some("G-bf9acb9e"));
    assert_eq!(
        (found.model.as_deref(), found.batch_size),
        (Some("diarization"), Some(8))
    );
    let text = "2023-10-11T05:58:44Z I 7139 infer_request.cc:751] [request id: <id_unknown>] prepared: [0x0x7f] \
        request id: , model: roformer, requested version: -1, actual version: 1, batch size: 1, priority: 0";
    assert_eq!(line(text).unwrap().request_id, None);
    let text = "I0304 08:00:00.000000 1 infer_request.cc:132] \"[request id: 42] Setting state from PENDING to EXECUTING\"";
    let found = line(text).unwrap();
    assert_eq!(
        (found.event, found.request_id.as_deref()),
        ("added", Some("42"))
    );
}

#[test]
fn what_is_no_such_line_is_none() {
    for text in [
        "",
        "Received request for a refund",
        "[mine.rs:1] Received request a: hello",
        "I0829 1 http_server.cc:3372] HTTP request: 2 /v2/models/m/infer",
        "generate{total_time=\"1s\"}: somebody else: Success",
        "{\"message\":\"Success\",\"target\":\"other\"}",
        "{",
    ] {
        assert_eq!(line(text), None, "{text}");
    }
}

#[test]
fn what_is_known_stands_under_keys_of_its_own_and_events_are_no_lines() {
    let text = "INFO [async_llm.py:1] Added request a.";
    let mut record = LogRecord {
        body: text.into(),
        scope: Arc::new(Scope::default()),
        ..LogRecord::default()
    };
    let keys = |record: &LogRecord| {
        let attributes = read(record)?.attributes();
        Some(
            attributes
                .into_iter()
                .map(|(key, _)| key.to_string())
                .collect::<Vec<_>>(),
        )
    };
    let expected = [
        "llm.engine.backend",
        "llm.engine.event",
        "llm.engine.request_id",
    ];
    assert_eq!(keys(&record).unwrap(), expected);
    assert_eq!(request_id(&record).as_deref(), Some("a"));
    record.event_name = "gen_ai.choice".to_owned();
    assert_eq!(keys(&record), None);
    record.attributes = vec![("gen_ai.request.id".into(), "b".into())];
    assert_eq!(request_id(&record).as_deref(), Some("b"));
}

proptest! {
    #[test]
    fn anything_is_read_or_not(text in any::<String>(), logger in "(vllm)?") {
        let _read = read_text(&text, &logger);
        for begin in ["[logger.py:1] Received request ", "x infer_request.cc:1] ", "generate{ total_time="] {
            let _read = read_text(&format!("{begin}{text}"), &logger);
        }
    }
}

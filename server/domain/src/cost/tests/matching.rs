use proptest::prelude::*;

use super::{now, row_of};
use crate::cost::{PriceBook, Table};

fn assert_rows(rows: &[(&str, &str, &str)]) {
    for (provider, model, key) in rows {
        let found = row_of(provider, model);
        assert_eq!(found.as_deref(), Some(*key), "{model} at {provider:?}");
    }
}

fn assert_unpriced(calls: &[(&str, &str)]) {
    for (provider, model) in calls {
        assert_eq!(row_of(provider, model), None, "{model} at {provider:?}");
    }
}

#[test]
fn an_exact_key_is_found_in_any_case() {
    assert_rows(&[
        ("", "gpt-4o", "gpt-4o"),
        ("openai", "GPT-4o-Mini", "gpt-4o-mini"),
        ("", "gemini/gemini-2.5-pro", "gemini/gemini-2.5-pro"),
        ("openai", "azure/gpt-4o", "azure/gpt-4o"),
        ("", "MINIMAX/minimax-m3", "minimax/MiniMax-M3"),
    ]);
}

#[test]
fn the_provider_of_the_span_chooses_among_hosts() {
    assert_rows(&[
        ("azure.ai.openai", "gpt-4o", "azure/gpt-4o"),
        ("azure_openai", "gpt-4o", "azure/gpt-4o"),
        ("azure.ai.inference", "grok-4.7", "azure_ai/grok-4.7"),
        ("gcp.gemini", "gemini-2.5-pro", "gemini/gemini-2.5-pro"),
        (
            "google.generative-ai",
            "gemini-2.5-flash",
            "gemini/gemini-2.5-flash",
        ),
        (
            "gcp.vertex_ai",
            "claude-opus-5-5",
            "vertex_ai/claude-opus-5-5",
        ),
        (
            "aws.bedrock",
            "anthropic.claude-opus-5-5",
            "anthropic.claude-opus-5-5",
        ),
        (
            "mistral_ai",
            "mistral-large-latest",
            "mistral/mistral-large-latest",
        ),
        ("x_ai", "grok-4.7", "xai/grok-4.7"),
        ("moonshot_ai", "kimi-k3", "moonshot/kimi-k3"),
        ("deepseek", "deepseek-v3.2", "deepseek/deepseek-v3.2"),
        ("zhipu", "glm-4.6", "zai/glm-4.6"),
        ("groq", "openai/gpt-oss-120b", "groq/openai/gpt-oss-120b"),
        (
            "groq",
            "llama-3.3-70b-versatile",
            "groq/llama-3.3-70b-versatile",
        ),
        (
            "openrouter",
            "deepseek/deepseek-chat",
            "openrouter/deepseek/deepseek-chat",
        ),
        (
            "openrouter",
            "anthropic/claude-sonnet-4",
            "openrouter/anthropic/claude-sonnet-4",
        ),
        ("openai.chat", "gpt-4o", "gpt-4o"),
        ("anthropic.messages", "claude-haiku-4-5", "claude-haiku-4-5"),
    ]);
}

#[test]
fn dated_names_find_the_undated_row() {
    for suffix in [
        "-2025-12-17",
        "-20251001",
        "-0315",
        "@20251001",
        "-preview-05-20",
        "-preview-09-2025",
        "-latest",
    ] {
        for base in ["gpt-5-mini", "claude-opus-5-5", "gpt-4o-2024-11-20"] {
            assert_rows(&[("", &format!("{base}{suffix}"), base)]);
        }
        let dated = format!("gemini-3.8-flash{suffix}");
        assert_rows(&[("gcp.gemini", &dated, "gemini/gemini-3.8-flash")]);
    }
}

#[test]
fn a_date_of_its_own_wins_and_the_newest_stands_for_the_family() {
    assert_rows(&[
        ("openai", "gpt-4o-2024-05-13", "gpt-4o-2024-05-13"),
        (
            "anthropic",
            "claude-3-5-sonnet-20240620",
            "claude-3-5-sonnet-20240620",
        ),
        (
            "aws.bedrock",
            "anthropic.claude-3-5-sonnet",
            "anthropic.claude-3-5-sonnet-20241022-v2:0",
        ),
        ("anthropic", "claude-3-5-sonnet", "claude-3-5-sonnet-latest"),
        (
            "mistral_ai",
            "mistral-large",
            "mistral/mistral-large-latest",
        ),
        ("cohere", "command-r-plus-08-2024", "command-r-plus-08-2024"),
    ]);
}

#[test]
fn paths_prefixes_and_decorations_come_off() {
    let arn = "arn:aws:bedrock:us-east-1:123456789012:inference-profile/\
               us.anthropic.claude-sonnet-4-5-20250929-v1:0";
    assert_rows(&[
        ("", arn, "us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
        (
            "aws.bedrock",
            arn,
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        ),
        ("", "models/gemini-2.5-pro", "gemini/gemini-2.5-pro"),
        (
            "gcp.vertex_ai",
            "projects/p/locations/global/publishers/google/models/gemini-3.8-flash",
            "vertex_ai/gemini-3.8-flash",
        ),
        (
            "",
            "publishers/anthropic/models/claude-opus-5-5",
            "vertex_ai/claude-opus-5-5",
        ),
        (
            "fireworks",
            "accounts/fireworks/models/kimi-k2-thinking",
            "fireworks_ai/accounts/fireworks/models/kimi-k2-thinking",
        ),
        ("", "openai/gpt-4o", "gpt-4o"),
        (
            "litellm_proxy",
            "litellm_proxy/gpt-4o-2024-08-06",
            "gpt-4o-2024-08-06",
        ),
        ("", "anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"),
        (
            "",
            "bedrock/us.anthropic.claude-opus-5-5",
            "us.anthropic.claude-opus-5-5",
        ),
        ("anthropic", "claude-sonnet-4-5[1m]", "claude-sonnet-4-5"),
        ("", "openai/gpt-5:nitro", "gpt-5"),
        (
            "openrouter",
            "deepseek/deepseek-r1:thinking",
            "openrouter/deepseek/deepseek-r1",
        ),
        (
            "openai",
            "ft:gpt-4o-mini-2024-07-18:acme::9abc",
            "ft:gpt-4o-mini-2024-07-18",
        ),
        (
            "gcp.vertex_ai",
            "claude-haiku-4-5@20251001",
            "vertex_ai/claude-haiku-4-5@20251001",
        ),
        ("acme-gateway", "gpt-4o", "gpt-4o"),
        ("langchain", "claude-opus-5-5", "claude-opus-5-5"),
        ("", "x-ai/grok-4.7", "xai/grok-4.7"),
        ("", "eu.openai.gpt-4o-v1:0", "gpt-4o"),
        ("", "us.google.gemini-3.8-flash-v1:0", "gemini-3.8-flash"),
        ("openai", "deepseek-chat", "deepseek-chat"),
        ("openai", "qwen3.8-max", "dashscope/qwen3.8-max"),
    ]);
}

#[test]
fn a_bedrock_geography_keeps_its_own_price_where_it_has_one() {
    let regional = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
    assert_rows(&[
        ("aws.bedrock", regional, regional),
        ("aws.bedrock", "eu.anthropic.claude-sonnet-4-5", regional),
        (
            "aws.bedrock",
            "eu.anthropic.claude-opus-5-5-v1:0",
            "eu.anthropic.claude-opus-5-5",
        ),
        ("aws.bedrock", "apac.deepseek.v3.2", "deepseek.v3.2"),
        ("bedrock", "claude-opus-5-5", "anthropic.claude-opus-5-5"),
    ]);
    let book = PriceBook::built_in();
    let input = |model| {
        let price = book.find(Some("aws.bedrock"), model, now()).unwrap();
        price.base.rates.iter().next().unwrap().1
    };
    assert!(input(regional) > input("anthropic.claude-sonnet-4-5-20250929-v1:0"));
}

#[test]
fn no_model_takes_a_siblings_price() {
    assert_unpriced(&[
        ("openai", "gpt-4o-tiny"),
        ("openai", "gpt-4-9k"),
        ("openai", "gpt-5.9"),
        ("openai", "gpt-5-huge-2026-01-01"),
        ("openai", "o3-micro"),
        ("openai", "davinci-003"),
        ("openai", "text-embedding-ada-003"),
        ("openai", "o33"),
        ("anthropic", "claude-opus-9"),
        ("anthropic", "claude-opus"),
        ("aws.bedrock", "amazon.titan-embed-text-v3:0"),
    ]);
    assert_rows(&[
        ("openai", "gpt-5-2099-01-01", "gpt-5"),
        ("openai", "gpt-5.1-2099-01-01", "gpt-5.1"),
        ("openai", "o3-2099-01-01", "o3"),
        ("openai", "o3-mini-2099-01-01", "o3-mini"),
        ("openai", "gpt-4o-mini-2099-01-01", "gpt-4o-mini"),
    ]);
}

#[test]
fn what_has_no_known_price_has_none() {
    assert_unpriced(&[
        ("", ""),
        ("", "  "),
        ("openai", "nobody/knows-7b"),
        ("azure.ai.openai", "my-deployment"),
        ("vllm", "gpt-4o"),
        ("ollama", "qwen3-max"),
        ("openai", "hosted_vllm/qwen3-max"),
        ("openai", "Qwen/Qwen3-32B"),
        ("openai", "meta-llama/Llama-3.1-8B-Instruct"),
        ("", "openai/gpt-4o:free"),
        ("groq", "glm-4.6"),
        (
            "",
            "arn:aws:bedrock:us-east-1:123456789012:custom-model-deployment/abc",
        ),
        ("", "/"),
        ("", "ft:"),
        ("", "@[]:"),
        ("", "é[1m]"),
        ("", "claude"),
    ]);
}

#[test]
fn every_row_is_found_by_its_key_and_with_any_date() {
    let table = Table::built_in().unwrap();
    let book = PriceBook::built_in();
    let find = |model: &str| book.find(None, model, now());
    for price in table.prices() {
        let found = find(&price.model).unwrap();
        assert!(
            found.model.eq_ignore_ascii_case(&price.model),
            "{}",
            price.model
        );
        // Pictures by size have keys like `high/1024-x-1024/gpt-image-1`: not what a call names.
        let host = price.model.split_once('/').map(|(host, _)| host);
        if host.is_some_and(|host| !price.provider.starts_with(host)) {
            continue;
        }
        for suffix in ["-2025-12-17", "-20251001", "-0315", "@20251001"] {
            let dated = format!("{}{suffix}", price.model);
            let base = find(&dated).map(|found| &found.base);
            assert_eq!(base, Some(&found.base), "{dated}");
        }
    }
}

proptest! {
    #[test]
    fn no_name_is_too_strange(
        provider in "\\PC{0,8}|[a-z_.]{0,12}",
        model in "\\PC{0,24}|(ft:|arn:aws|models/|us\\.)?[a-z0-9:@./\\[\\]-]{0,24}",
    ) {
        let found = row_of(&provider, &model);
        prop_assert!(found.is_none_or(|key| !key.is_empty()));
    }
}

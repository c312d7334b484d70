//! Small inputs with the one result that clients of Langfuse know: vector by vector, and which test shows it, here or
//! where the rest of its subject is tested. Where the result is another one on purpose, `docs/langfuse.md` says so.
//!
//! | vector | what is sent | what comes of it | test |
//! | --- | --- | --- | --- |
//! | 1 | a batch without events | 207 with two empty lists | `ingest::batches::a_batch_that_cannot_be_used_is_told_in_the_words_of_the_interface` |
//! | 2 | a list or an empty object instead of a batch | 400, `errors` are texts | `langfuse::vectors::events::what_is_no_batch_is_refused_with_texts` |
//! | 3 | a good event and one of an unknown type | 207, each with its own answer | `langfuse::vectors::events::each_event_has_its_own_success_or_error_and_a_log_neither` |
//! | 4 | a log of the SDK alone | 207, both lists empty | `langfuse::vectors::events::each_event_has_its_own_success_or_error_and_a_log_neither` |
//! | 5 | a score `good` without a type | categorical, 0 | `langfuse::vectors::events::a_score_that_is_a_word_is_a_category_and_the_later_of_an_id_stays` |
//! | 6 | a flag of 2 | its event is refused | `langfuse::vectors::events::each_event_has_its_own_success_or_error_and_a_log_neither` |
//! | 7 | a score on a trace and a session | its event is refused | `langfuse::vectors::events::each_event_has_its_own_success_or_error_and_a_log_neither` |
//! | 8 | a score twice, 1 and then 2 | one score, 2 | `langfuse::vectors::events::a_score_that_is_a_word_is_a_category_and_the_later_of_an_id_stays` |
//! | 9 | a span, then its end alone | one span with both | `langfuse::vectors::events::an_end_that_is_told_apart_is_the_end_of_its_span` |
//! | 10 | an update before its creation | the same as the other way round | `ingest::batches::order_splits_and_repetition_of_batches_come_to_the_same` |
//! | 11 | tags b, a and later c, a | a, b, c | `langfuse::vectors::events::a_trace_adds_tags_and_metadata_and_a_name_is_taken_back` |
//! | 12 | metadata, and later more of it | all keys | `langfuse::vectors::events::a_trace_adds_tags_and_metadata_and_a_name_is_taken_back` |
//! | 13 | a name, and later null | null | `langfuse::vectors::events::a_trace_adds_tags_and_metadata_and_a_name_is_taken_back` |
//! | 14 | the name of a prompt without a version | its event is refused | `langfuse::vectors::events::each_event_has_its_own_success_or_error_and_a_log_neither` |
//! | 15 | usage by the names of OpenAI | disjoint kinds | `langfuse::vectors::events::usage_is_read_by_its_names_and_with_a_name_of_its_own_as_it_was_sent` |
//! | 16 | the same with another kind | as it was sent, and its sum | `langfuse::vectors::events::usage_is_read_by_its_names_and_with_a_name_of_its_own_as_it_was_sent` |
//! | 17 | environments that are none | put right | `langfuse::vectors::events::environments_are_put_right` |
//! | 18 | a span with a model | a generation | `langfuse::vectors::spans::types_follow_from_what_a_span_tells` |
//! | 19 | an agent's span with usage | an agent; it keeps its usage, on purpose | `langfuse::vectors::spans::types_follow_from_what_a_span_tells` |
//! | 20 | tokens from caches and of reasoning | taken out of the whole | `langfuse::vectors::spans::parts_of_usage_are_taken_out_of_the_whole` |
//! | 21 | flat messages of OpenInference | messages; not nested, on purpose | `langfuse::vectors::spans::messages_are_read_from_attributes_and_events` |
//! | 22 | these beside `input.value` | messages go before it, on purpose | `langfuse::vectors::spans::messages_are_read_from_attributes_and_events` |
//! | 23 | messages in events | messages; an answer as well, on purpose | `langfuse::vectors::spans::messages_are_read_from_attributes_and_events` |
//! | 24 | text and calls of the AI SDK | one message with both | `langfuse::vectors::spans::an_answer_of_the_ai_sdk_has_its_text_and_its_calls` |
//! | 25 | a level that is told, and a failure | the level | `langfuse::vectors::spans::a_level_that_is_told_goes_before_the_status` |
//! | 26 | an environment of the resource | that, in lower case | `langfuse::vectors::spans::a_resource_tells_the_environment` |
//! | 27 | a child whose parent never comes | its trace, named | `langfuse::vectors::spans::a_trace_is_there_though_its_root_never_comes` |
//! | 28 | protobuf and JSON in each compression | 200 | `ingest::bodies::every_compression_is_understood_also_under_the_langfuse_route` |
//! | 28 | a content type with parameters | 200 | `ingest::bodies::parameters_and_case_of_the_content_type_do_not_matter_but_the_type_does` |
//! | 29 | another content type | 415, on purpose | `langfuse::vectors::spans::what_cannot_be_read_is_told_as_otlp_says` |
//! | 30 | the id of a trace as a number | its span alone is refused, on purpose | `langfuse::vectors::spans::what_cannot_be_read_is_told_as_otlp_says` |
//! | 31 | no key | 401 with a message | `langfuse::errors::without_a_key_each_family_says_so_in_its_words` |
//! | 31 | a wrong secret | 401 with a message | `langfuse::errors::a_right_secret_does_not_make_up_for_a_wrong_public_key` |
//! | 32 | a right secret with a wrong public key | 401, on purpose | `langfuse::errors::a_right_secret_does_not_make_up_for_a_wrong_public_key` |
//! | 33 | a public key alone that reads | 403 with a message | `langfuse::vectors::reads::a_public_key_reads_nothing` |
//! | 34 | pages outside their range | 400 with what is wrong | `langfuse::traces::what_cannot_be_understood_is_refused` |
//! | 35 | an empty limit | 50 | `langfuse::vectors::reads::a_parameter_that_is_left_empty_is_as_usual_and_an_unknown_one_of_the_third_version_is_none` |
//! | 36 | a filter for null | 200 | `langfuse::traces::a_list_is_narrowed_ordered_and_paged` |
//! | 37 | a filter that is none, or of no column | 400 | `langfuse::traces::what_cannot_be_understood_is_refused` |
//! | 38 | a prompt with a slash in its name | its first version, with two labels | `langfuse::vectors::reads::a_prompt_with_a_slash_is_made_read_and_deleted` |
//! | 39 | a second version with the label of the first | the label moves | `langfuse::changes::a_label_stands_on_one_version_and_is_never_taken_by_leaving_it_out` |
//! | 40 | a label that is given back to the first | it moves, and no other | `langfuse::changes::a_label_stands_on_one_version_and_is_never_taken_by_leaving_it_out` |
//! | 41 | a label that nothing has | 404 by name, with a message | `langfuse::vectors::reads::a_prompt_with_a_slash_is_made_read_and_deleted` |
//! | 42 | a number and a label | 400 | `langfuse::prompts::what_is_not_there_is_404_and_what_makes_no_sense_400` |
//! | 43 | a prompt in itself, or in what there is not | 400 | `langfuse::composition::what_cannot_be_put_together_is_refused_when_it_is_made` |
//! | 44 | a prompt that is deleted | 204 | `langfuse::vectors::reads::a_prompt_with_a_slash_is_made_read_and_deleted` |
//! | 45 | an item again, with part of it or null | what is not said stays | `langfuse::vectors::reads::null_takes_nothing_from_an_item_and_a_link_needs_no_trace` |
//! | 45b | a link to a trace that never came | 200 | `langfuse::vectors::reads::null_takes_nothing_from_an_item_and_a_link_needs_no_trace` |
//! | 46 | a second link of a run with other metadata | the same run, the first metadata | `langfuse::vectors::reads::null_takes_nothing_from_an_item_and_a_link_needs_no_trace` |
//! | 47 | the same attachment twice | the same id, no address | `langfuse::media::announced::an_attachment_is_announced_sent_and_fetched_and_the_same_bytes_are_sent_once` |
//! | 48 | an attachment before its bytes | 404 | `langfuse::media::announced::an_attachment_is_announced_sent_and_fetched_and_the_same_bytes_are_sent_once` |
//! | 49 | a score that is not there, deleted | 202 | `langfuse::vectors::reads::a_score_that_is_not_there_is_deleted_all_the_same` |
//! | 50 | a score with a public key alone | 200 with its id | `langfuse::scores::public_key::a_public_key_sends_scores_and_opens_nothing_else` |
//! | 51 | usage of a known model; a cost that is sent | computed; that alone | `langfuse::vectors::events::a_cost_that_is_sent_stands_alone_and_others_are_computed_with_their_total` |
//! | 52 | costs of input and another kind | no total | `langfuse::observations::an_observation_is_read_as_it_was_sent` |
//! | 53 | a list that goes on by cursor | the rest, then no cursor | `langfuse::observations::the_second_version_goes_on_by_cursor` |
//! | 54 | an unknown parameter of the third version | 400 | `langfuse::vectors::reads::a_parameter_that_is_left_empty_is_as_usual_and_an_unknown_one_of_the_third_version_is_none` |
//! | 55 | observations counted by name | rows of `name` and `count_count` | `langfuse::metrics::numbers::observations_are_counted_and_summed_up` |

mod events;
mod reads;
mod spans;

use reqwest::Method;
use serde_json::{Value, json};
use tests::ProjectClient;
use tests::langfuse::Answer;

use super::required::is_there;

async fn post(client: &ProjectClient, path: &str, body: &Value) -> Answer {
    let path = format!("/api/public{path}");
    client.langfuse(Method::POST, &path, Some(body)).await
}

async fn batch(client: &ProjectClient, events: &[Value]) -> Answer {
    post(client, "/ingestion", &json!({ "batch": events })).await
}

#[test]
fn each_vector_has_a_test_that_is_there() {
    let table = include_str!("mod.rs").lines();
    let table = table.filter_map(|line| line.strip_prefix("//! | "));
    let mut vectors = Vec::new();
    for row in table.skip(2) {
        let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
        let [vector, .., test] = cells.as_slice() else {
            panic!("no row: {row}");
        };
        is_there(test.trim_matches('`'));
        vectors.push(*vector);
    }
    vectors.dedup();
    let mut expected: Vec<String> = (1..=55).map(|number| number.to_string()).collect();
    expected.insert(45, "45b".to_owned());
    assert_eq!(vectors, expected);
}

//! Acceptance cases: what somebody outside the product does, and what must come out. Case by case, which test shows it,
//! here or where the rest of its subject is tested, or why none can yet.
//!
//! | case | what of it | test |
//! | --- | --- | --- |
//! | 1 | ids are hexadecimal, in lower case everywhere | `cases::doors::c001_ids_are_hexadecimal_in_either_case_and_never_base64` |
//! | 2 | 64-bit integers as texts | `cases::times::nanoseconds_as_text_keep_their_microseconds` |
//! | 2 | halves of a number | `cases::doors::c002_halves_of_a_number_are_the_number_that_they_make` |
//! | 3 | another signal is refused | `ingest::bodies::a_logs_body_sent_as_traces_is_refused` |
//! | 3 | bad ids cost their span, and nothing is tried again | `cases::doors::c003_c018_what_is_refused_is_not_tried_again_and_a_monster_leaves_the_queue` |
//! | 4 | what is left out is its default | `cases::doors::c004_what_is_left_out_is_its_default_and_what_nobody_knows_is_passed_over` |
//! | 4 | whatever is dropped is told | `ingest::spans::bad_ids_cost_their_own_span_only_and_the_sender_is_told` |
//! | 5 | what a Collector sends over HTTP: protobuf in gzip, zstd, deflate and as it is | `ingest::bodies::every_compression_is_understood_also_under_the_langfuse_route` |
//! | 5 | what it sends over gRPC, in gzip, zstd and as it is | `ingest::grpc::every_compression_is_understood` |
//! | 5 | exporters of the same project, run | `sdk::python_exporters_over_grpc_and_http_with_each_compression` |
//! | 5 | a Collector itself | not yet: its program is none of a package registry that tests install from |
//! | 6 | decompressed bytes count, at the doors of OTLP | `ingest::bodies::bombs_are_refused_soon_and_memory_stays_bounded` |
//! | 6 | over gRPC | `ingest::grpc::refusals_have_their_codes_and_reasons` |
//! | 6 | at the door for batches | `cases::doors::c006_batches_are_limited_by_what_they_come_to_when_they_are_decompressed` |
//! | 7 | content types | `ingest::bodies::parameters_and_case_of_the_content_type_do_not_matter_but_the_type_does` |
//! | 8 | deep values of spans | `ingest::spans::very_deep_values_cost_only_their_inside` |
//! | 8 | deep values of events | `cases::doors::c008_a_very_deep_event_costs_only_itself` |
//! | 9 | sent three times, over a restart: once in `/api/v1` | `cases::repetition::a_resent_export_changes_nothing_even_after_a_restart` |
//! | 9 | once in lists, counts and sums of `/api/public`, which exports are read from | `cases::arrival::c009_a_resent_export_counts_and_costs_once_in_every_list` |
//! | 10 | newer numbers replace | `cases::repetition::a_span_sent_again_with_newer_numbers_replaces_the_older_one_in_either_order` |
//! | 10 | in sums by model, too | `cases::arrival::c010_a_span_with_newer_numbers_replaces_those_in_all_sums` |
//! | 11 | late, older events | `cases::arrival::c011_late_older_events_never_overwrite_newer_ones` |
//! | 11 | any order, split and repetition | `ingest::batches::order_splits_and_repetition_of_batches_come_to_the_same` |
//! | 12 | an update before its creation | `cases::arrival::c012_what_comes_in_pieces_is_one_generation_of_its_trace` |
//! | 12 | a child before its parent | `cases::trees::orphans_stand_at_the_top_until_their_parent_comes` |
//! | 13 | metadata key by key | `cases::arrival::c013_metadata_is_put_together_key_by_key_whatever_comes_first` |
//! | 13 | metadata that a span below the root tells of its trace | `cases::arrival::c013_any_span_tells_metadata_of_its_trace_whatever_comes_first` |
//! | 14 | the same ids in two projects | `cases::repetition::the_same_ids_in_two_projects_are_two_things` |
//! | 14 | deleted in one | `cases::arrival::c014_the_same_ids_in_two_projects_are_deleted_in_one_alone` |
//! | 15 | one bad event | `cases::doors::c015_one_bad_event_costs_only_itself` |
//! | 15 | an empty batch | `ingest::batches::a_batch_that_cannot_be_used_is_told_in_the_words_of_the_interface` |
//! | 16 | environments by the name that is shown | `cases::content::environments_are_found_under_the_name_that_is_shown` |
//! | 17 | acknowledged traces | `cases::repetition::every_acknowledged_trace_is_readable_and_listed` |
//! | 17 | acknowledged events, over a restart | `cases::arrival::c017_every_acknowledged_event_can_be_read_over_a_restart` |
//! | 17 | over kills of every process | `faults::kills::acknowledged_spans_survive_kills_of_every_process_exactly_once` |
//! | 18 | a monster | `cases::doors::c003_c018_what_is_refused_is_not_tried_again_and_a_monster_leaves_the_queue` |
//! | 18 | and the others | `ingest::spans::a_monstrous_attribute_does_not_hold_up_the_others` |
//! | 19 | an end before the start: duration | `cases::times::an_end_before_the_start_counts_as_no_time_and_spoils_nothing` |
//! | 19 | marked, and no figure is spoiled | `cases::both::c019_an_end_before_the_start_is_marked_and_spoils_no_figure` |
//! | 20 | absurd starts | `cases::times::a_start_of_zero_or_in_seconds_leaves_the_trace_its_times` |
//! | 20 | marked | `ingest::spans::absurd_years_are_marked_and_leave_the_trace_sound` |
//! | 21 | open spans | `cases::times::an_open_span_has_no_end_and_gets_it_later` |
//! | 21 | open calls of events, and means | `cases::both::c021_an_open_call_has_no_duration_and_counts_in_none` |
//! | 22 | `/api/v1` | `cases::mapping::c022_name_input_and_output_of_a_trace_belong_to_the_root` |
//! | 22 | `/api/public` | `cases::both::c022_name_input_and_output_of_a_trace_are_those_of_its_root` |
//! | 23 | `/api/v1` | `cases::mapping::c023_unknown_usage_keys_do_not_make_a_span_disappear` |
//! | 23 | `/api/public` | `cases::both::c023_c029_c031_c032_tokens_are_counted_alike_in_every_form` |
//! | 24 | `/api/v1` | `cases::mapping::c024_json_text_in_an_attribute_is_not_encoded_twice` |
//! | 24 | `/api/public` | `cases::both::c024_c025_c043_contents_are_read_as_what_they_are` |
//! | 24 | a page | `web::trace::the_tree_and_the_chosen_span_are_read_by_keys` |
//! | 25 | `/api/v1` | `cases::mapping::c025_openllmetry_workflows_show_input_output_session_and_user` |
//! | 25 | `/api/public` | `cases::both::c024_c025_c043_contents_are_read_as_what_they_are` |
//! | 26 | attributes, events and records | `cases::mapping::c026_messages_and_tools_of_genai_give_one_picture_in_every_form` |
//! | 26 | events and records alike | `ingest::logs::messages_as_span_events_and_as_log_events_give_the_same_picture` |
//! | 27 | `/api/v1` | `cases::mapping::c027_metadata_is_there_once_and_can_be_filtered` |
//! | 27 | `/api/public` | `cases::both::c027_metadata_stands_at_the_top_once_and_is_found` |
//! | 28 | `/api/v1` | `cases::mapping::c028_only_model_calls_count_as_generations` |
//! | 28 | `/api/public` | `cases::both::c028_a_model_name_alone_makes_no_call` |
//! | 29 | `/api/v1` | `cases::mapping::c029_token_counts_are_read_in_every_documented_form` |
//! | 29 | `/api/public` | `cases::both::c023_c029_c031_c032_tokens_are_counted_alike_in_every_form` |
//! | 30 | `/api/v1`, and which are reported | `cases::costs::c030_a_cost_that_is_sent_wins_over_a_computed_one` |
//! | 30 | `/api/public`, with a model of its own | `cases::both::c030_c035_c038_costs_are_those_sent_those_computed_and_unknown` |
//! | 30 | which price computed it | `langfuse::models::priced::an_observation_says_by_which_price_it_was_computed` |
//! | 31 | cost, `/api/v1` | `cases::costs::c031_cached_input_is_part_of_input` |
//! | 31 | tokens, `/api/public` | `cases::both::c023_c029_c031_c032_tokens_are_counted_alike_in_every_form` |
//! | 31 | cost, `/api/public` | `langfuse::models::usage::kinds_are_disjoint_with_and_without_a_total` |
//! | 32 | `/api/v1` | `cases::mapping::c032_openinference_totals_include_their_details` |
//! | 32 | `/api/public` | `cases::both::c023_c029_c031_c032_tokens_are_counted_alike_in_every_form` |
//! | 33 | dated names | `cases::costs::c033_dated_model_names_find_their_price` |
//! | 34 | decorated names | `cases::costs::c034_decorated_names_find_their_price_and_own_ones_win` |
//! | 35 | `/api/v1` and lists | `cases::costs::c035_unknown_is_not_zero` |
//! | 35 | `/api/public` | `cases::both::c030_c035_c038_costs_are_those_sent_those_computed_and_unknown` |
//! | 35 | a price is set, and the past computed anew | `web::settings::a_model_without_a_price_is_given_one_and_the_past_is_computed_anew` |
//! | 36 | of spans | `cases::mapping::c036_odd_usage_values_cost_only_themselves` |
//! | 36 | of events | `cases::both::c036_odd_usage_of_events_costs_only_itself` |
//! | 37 | spans, scores and sums | `cases::both::c037_no_number_that_json_lacks_gets_into_a_sum` |
//! | 37 | lists | `cases::content::numbers_that_json_lacks_are_kept_and_break_no_answer` |
//! | 38 | tiny costs | `cases::costs::c038_tiny_costs_stay_visible_and_add_up` |
//! | 39 | a shared trace | `web::datasets::a_run_counts_a_trace_once_that_items_share` |
//! | 40 | a batch | `cases::doors::c040_half_an_emoji_does_not_lose_a_batch` |
//! | 40 | spans | `ingest::spans::half_an_emoji_and_invalid_bytes_read_as_replacement_characters` |
//! | 40 | other bodies | `langfuse::exact::half_a_character_costs_no_body` |
//! | 41 | over HTTP | `ingest::spans::half_an_emoji_and_invalid_bytes_read_as_replacement_characters` |
//! | 41 | over gRPC | `ingest::grpc::bytes_that_are_no_text_cost_no_span` |
//! | 42 | each kind of text | `cases::doors::c042_a_nul_in_a_text_is_taken_out_or_its_field_is_named` |
//! | 42 | each field of a score | `langfuse::scores::sent::a_nul_character_in_a_score_is_refused_and_its_field_named` |
//! | 43 | `/api/v1` and the search | `cases::content::c043_escaped_text_is_shown_and_found_as_text` |
//! | 43 | `/api/public` | `cases::both::c024_c025_c043_contents_are_read_as_what_they_are` |
//! | 43 | a page | `web::trace::the_tree_and_the_chosen_span_are_read_by_keys` |
//! | 44 | `/api/v1` | `cases::content::text_that_only_looks_like_json_and_big_integers_come_back_as_sent` |
//! | 44 | `/api/public`, as texts of their digits | `langfuse::exact::numbers_of_many_digits_are_read_as_texts_whatever_the_way` |
//! | 45 | `/api/v1` | `cases::content::text_that_only_looks_like_json_and_big_integers_come_back_as_sent` |
//! | 45 | pages | `web::trace::text_that_only_looks_like_json_is_shown_as_sent` |
//! | 46 | `/api/v1` | `cases::trees::ten_thousand_spans_are_read_whole` |
//! | 46 | the page | `web::trace::ten_thousand_spans_open_at_once_and_load_on_the_way_down` |
//! | 47 | 94 MB of inputs | `web::large_trace::a_trace_of_large_inputs_opens_without_them_and_has_each_whole` |
//! | 48 | roots that are late or missing | `cases::trees::orphans_stand_at_the_top_until_their_parent_comes` |
//! | 48 | marked on the page | `web::trace::the_tree_and_the_chosen_span_are_read_by_keys` |
//! | 49 | a circle | `cases::trees::a_circle_of_parents_is_shown_cut_and_can_be_deleted` |
//! | 49 | a link is no parent | `cases::trees::a_link_to_a_descendant_makes_no_parent` |
//! | 50 | siblings | `cases::trees::siblings_keep_one_order_whatever_the_order_of_arrival` |
//! | 50 | of one instant | `cases::trees::siblings_of_one_instant_keep_one_order_on_every_reading` |
//! | 51 | nested metadata | `cases::filters::c051_metadata_is_found_by_the_path_of_a_key` |
//! | 52 | filters | `cases::filters::c052_every_sign_of_a_condition_is_text` |
//! | 52 | the search | `api::search::signs_of_other_languages_are_text` |
//! | 53 | filters and their counts | `cases::filters::c053_none_of_keeps_what_has_nothing` |
//! | 53 | `/api/v1` | `api::parameters::filters_find_what_they_name_and_keep_what_has_nothing` |
//! | 54 | pages | `cases::lists::c054_what_has_one_same_time_comes_each_once_on_pages` |
//! | 54 | cursors | `cases::lists::c054_a_cursor_goes_on_where_it_was_though_newer_rows_come` |
//! | 54 | `/api/v1` | `api::spans::paging_gives_every_span_once_though_new_ones_arrive` |
//! | 55 | lists of both APIs, counts, metrics | `cases::filters::c055_a_condition_means_the_same_wherever_it_is_put` |
//! | 55 | lists, their views and files | `web::lists::views_are_saved_shared_and_open_the_list` |
//! | 56 | sums of a session | `web::sessions::a_session_costs_what_its_calls_cost_wherever_it_is_shown` |
//! | 57 | links | `web::sessions::ids_with_special_characters_lead_where_they_say` |
//! | 57 | names of dots | `web::names::users_sessions_and_prompts_of_dots_are_opened_from_their_links` |
//! | 58 | 20,000 traces over the APIs | `cases::lists::c058_a_session_of_very_many_traces_is_read_to_its_last_page` |
//! | 58 | the page in small | `web::sessions::a_long_session_is_loaded_as_it_is_seen` |
//! | 59 | a failed turn | `web::sessions::one_failed_turn_does_not_hide_the_session` |
//! | 60 | `/api/public` | `langfuse::prompts::a_name_may_stand_in_a_path_with_its_slashes_or_without` |
//! | 60 | pages | `web::prompts::mod::c060_names_with_slashes_open_in_folders_and_are_told_apart` |
//! | 61 | `/api/public` | `langfuse::prompts::a_number_is_no_label` |
//! | 61 | pages | `web::prompts::mod::c061_version_3_is_not_label_3` |
//! | 62 | two servers | `langfuse::cache::a_change_on_one_server_is_seen_at_once_there_and_soon_on_the_other` |
//! | 62 | a label is on one version | `langfuse::changes::a_label_stands_on_one_version_and_is_never_taken_by_leaving_it_out` |
//! | 62 | pages | `web::prompts::mod::c062_labels_that_are_moved_on_the_page_are_what_clients_get_next` |
//! | 63 | `latest`, and numbers | `langfuse::changes::what_is_deleted_is_gone_and_latest_goes_to_the_highest_that_is_left` |
//! | 63 | references | `langfuse::changes::what_another_prompt_needs_is_not_deleted` |
//! | 63 | pages | `web::prompts::mod::c063_deleting_versions_keeps_labels_and_references_sound` |
//! | 64 | `/api/v1` and the page | `web::prompts::mod::c064_the_diff_shows_what_changed_and_not_the_rest` |
//! | 65 | ids of items | `cases::datasets::an_id_is_of_one_item_of_a_project` |
//! | 66 | several links | `cases::datasets::a_run_may_link_an_item_several_times` |
//! | 66 | means | `web::datasets::means_of_a_run_count_each_link_of_an_item` |
//! | 67 | out and in | `web::dataset_files::what_is_exported_is_imported_again_without_loss` |
//! | 67 | separators, line ends, headers | `web::dataset_files::a_file_is_looked_at_its_columns_are_named_and_it_is_imported` |
//! | 67 | all or none | `web::dataset_files::ten_thousand_rows_arrive_all_or_none` |
//! | 68 | `/api/public` | `cases::judgements::a_queue_counts_what_people_did` |
//! | 68 | pages, two people | `web::queues::progress::progress_is_true` |
//! | 69 | scores | `cases::judgements::zero_is_a_score_and_nothing_is_none` |
//! | 70 | gone from the answer on | `api::traces::a_deleted_trace_is_gone_from_the_answer_on` |
//! | 70 | comments and queues | `langfuse::comments::deleted::comments_and_pending_items_of_a_trace_and_its_spans_go_with_it_and_no_others` |
//! | 70 | attachments | `langfuse::media::deleted::an_attachment_goes_with_the_last_trace_that_names_it` |
//! | 70 | a state of the deletion of a user that can be read, and its proof | `deletions::everywhere::nothing_of_a_forgotten_user_is_left_anywhere_and_all_of_the_others_is` |
//! | 70 | the same of single traces | not yet: nothing keeps a record of their deletions |
//! | 71 | a person is erased | `deletions::everywhere::nothing_of_a_forgotten_user_is_left_anywhere_and_all_of_the_others_is` |
//! | 71 | late and replayed | `deletions::late::late_and_replayed_records_of_a_forgotten_user_are_dropped_and_counted` |
//! | 71 | kills in between | `deletions::restarted::a_deletion_goes_on_after_kills_at_each_of_its_states` |
//! | 72 | a project | `langfuse::organisations::projects::a_deleted_project_is_refused_at_once_and_its_telemetry_goes` |
//! | 72 | much at once, with a state to follow | not yet: nothing keeps a record of deletions |
//! | 73 | `/api/public` | `cases::gone::c073_what_never_was_and_what_is_another_projects_are_answered_alike` |
//! | 73 | `/api/v1` | `cases::gone::c073_the_same_holds_for_the_products_own_api` |
//! | 74 | what hangs on old traces goes, the mixed session and items of datasets stay | `retention::shells::c074_retention_removes_shells_too` |
//! | 75 | `/api/v1` | `tenancy::another_projects_key_finds_nothing_and_changes_nothing` |
//! | 75 | nobody | `tenancy::nobody_is_refused_wherever_a_project_is_concerned` |
//! | 75 | `/api/public` | `langfuse::tenancy::mod::another_projects_key_finds_nothing_and_changes_nothing` |
//! | 75 | organisations | `langfuse::organisations::doors::another_organisations_key_finds_nothing_and_changes_nothing` |
//! | 75 | pages | `web::tenancy::whoever_is_no_member_finds_nothing_and_changes_nothing_on_any_page` |
//! | 76 | `/api/v1` | `api::keys::whatever_is_not_a_key_is_401_with_a_problem` |
//! | 76 | `/api/public` | `api::keys::whatever_is_not_a_key_is_401_for_clients_of_langfuse` |
//! | 76 | revoked elsewhere | `langfuse::organisations::keys::a_key_that_was_revoked_on_one_server_is_refused_by_another_within_five_seconds` |
//! | 76 | Postgres away | `faults::store_away::with_postgres_away_known_keys_go_on_and_unknown_ones_are_told_to_wait` |
//! | 77 | the zone of the machine | `cases::times::the_zone_of_the_machine_changes_no_instant` |
//! | 78 | one zone on a page | `web::dashboards::days_tips_and_contents_are_those_of_the_zone_of_the_page` |
//! | 79 | `/api/v1` | `api::parameters::ranges_need_a_zone_include_from_and_exclude_to` |
//! | 79 | `/api/public` | `cases::lists::c079_times_are_instants_and_what_is_none_is_named` |
//! | 79 | pages | `web::dashboards::times_of_addresses_are_read_alike_on_all_pages` |
//! | 80 | exported windows, text | `langfuse::blob_storage::rows::each_form_has_each_thing_once_and_csv_has_no_formulas` |
//! | 80 | exported windows, Parquet | `langfuse::blob_storage::parquet::a_file_of_parquet_says_what_lines_of_json_say` |
//! | 80 | the list as a file | `web::lists::a_file_has_a_row_for_every_trace_and_no_formula` |
//! | 80 | sizes, while more arrives | `web::lists::c080_a_file_of_any_size_has_each_trace_of_its_range_once` |
//! | 81 | exported windows | `langfuse::blob_storage::rows::each_form_has_each_thing_once_and_csv_has_no_formulas` |
//! | 81 | the list as a file | `web::lists::a_file_has_a_row_for_every_trace_and_no_formula` |
//! | 82 | lists over large payloads | not yet: a matter of size, measured by `make bench` over a history and tested by no test |
//! | 83 | many small requests | not yet: a matter of hours, measured by `make bench` in small and tested by no test |
//! | 84 | whole or not at all | `ingest::batches::a_batch_is_seen_whole_or_not_at_all` |
//! | 84 | the live stream | `api::live::many_traces_at_once_are_all_told` |
//! | 84 | list and trace | `api::traces::list_and_trace_tell_the_same_of_a_trace` |
//! | 85 | again, and several at once | `store::queries::migrating_again_and_at_the_same_time_changes_nothing` |
//! | 85 | readiness that says `migrating` | `cases::starts::c085_a_server_lives_and_says_that_it_migrates_while_it_does` |
//! | 86 | told everywhere, nothing lost | `faults::store_away::a_store_that_starts_refusing_is_noticed_and_made_up_for` |
//! | 87 | channels | `alerts::channels::nothing_inside_can_be_reached` |
//! | 88 | a trace | `web::hostile::hostile_content_is_shown_and_never_runs_nor_asks_another_host` |
//! | 88 | every page | `web::hostile::no_page_runs_what_it_shows_or_loses_its_shape` |
//! | 88 | policy | `web::headers::every_answer_carries_the_policy_and_cookies_are_out_of_reach_of_scripts` |
//! | 89 | links and pictures | `web::hostile::hostile_content_is_shown_and_never_runs_nor_asks_another_host` |
//! | 90 | rates of nothing | `alerts::unknown::a_rate_of_nothing_is_no_data_and_one_of_one_is_all` |
//! | 91 | one message | `alerts::told::an_incident_is_one_message_however_often_it_takes_and_is_over_once` |
//! | 91 | over kills | `alerts::told::a_kill_between_incident_and_message_loses_nothing_and_repeats_nothing` |

mod arrival;
mod both;
mod content;
mod costs;
mod datasets;
mod doors;
mod filters;
mod gone;
mod judgements;
mod lists;
mod mapping;
mod repetition;
mod starts;
mod times;
mod trees;

use crate::langfuse::required::is_there;

#[test]
fn each_case_has_a_test_that_is_there_or_a_reason() {
    let table = include_str!("mod.rs").lines();
    let table = table.filter_map(|line| line.strip_prefix("//! | "));
    let mut cases = Vec::new();
    for row in table.skip(2) {
        let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
        let [case, _, test] = cells.as_slice() else {
            panic!("no row: {row}");
        };
        if !test.starts_with("not yet: ") {
            is_there(test.trim_matches('`'));
        }
        cases.push(case.parse::<u32>().unwrap());
    }
    cases.dedup();
    assert_eq!(cases, (1..=91).collect::<Vec<_>>());
}

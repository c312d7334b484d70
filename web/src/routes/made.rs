//! What people make: dashboards, prompts, datasets, evaluators, queues.

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use super::{Page, does, shows};
use crate::pages::{dashboards, datasets, evaluators, playground, prompts, queues};

pub(super) static PAGES: &[Page] = &[
    // Dashboards
    shows("/p/{project}/dashboards", || {
        get(dashboards::list_dashboards)
    }),
    does("/p/{project}/dashboards", || {
        post(dashboards::create_dashboard)
    }),
    shows("/p/{project}/dashboards/{dashboard}", || {
        get(dashboards::show_dashboard)
    }),
    does("/p/{project}/dashboards/{dashboard}/public", || {
        post(dashboards::publish_dashboard)
    }),
    // Anybody who has the link, as long as it is given
    shows("/shared/dashboards/{link}", || {
        get(dashboards::show_open_dashboard)
    }),
    shows("/p/{project}/dashboards/{dashboard}/export", || {
        get(dashboards::export_dashboard)
    }),
    does("/p/{project}/dashboards/{dashboard}/rename", || {
        post(dashboards::rename_dashboard)
    }),
    does("/p/{project}/dashboards/{dashboard}/clone", || {
        post(dashboards::clone_dashboard)
    }),
    does("/p/{project}/dashboards/{dashboard}/delete", || {
        post(dashboards::delete_dashboard)
    }),
    does("/p/{project}/dashboards/{dashboard}/place", || {
        post(dashboards::place_widget)
    }),
    shows("/p/{project}/dashboards/{dashboard}/widgets/new", || {
        get(dashboards::build_widget)
    }),
    does("/p/{project}/dashboards/{dashboard}/widgets/new", || {
        post(dashboards::save_new_widget)
    }),
    shows(
        "/p/{project}/dashboards/{dashboard}/widgets/{widget}",
        || get(dashboards::edit_widget),
    ),
    does(
        "/p/{project}/dashboards/{dashboard}/widgets/{widget}",
        || post(dashboards::save_widget),
    ),
    shows(
        "/p/{project}/dashboards/{dashboard}/widgets/{widget}/csv",
        || get(dashboards::show_csv),
    ),
    does(
        "/p/{project}/dashboards/{dashboard}/widgets/{widget}/copy",
        || post(dashboards::copy_widget),
    ),
    does(
        "/p/{project}/dashboards/{dashboard}/widgets/{widget}/delete",
        || post(dashboards::delete_widget),
    ),
    // Prompts
    shows("/p/{project}/prompts", || get(prompts::list_prompts)),
    shows("/p/{project}/prompts/new", || get(prompts::new_prompt)),
    does("/p/{project}/prompts/new", || post(prompts::create_prompt)),
    shows("/p/{project}/prompts/{*prompt}", || {
        get(prompts::show_prompt)
    }),
    does("/p/{project}/prompt/labels/{*prompt}", || {
        post(prompts::move_label)
    }),
    does("/p/{project}/prompt/unlabel/{*prompt}", || {
        post(prompts::remove_label)
    }),
    does("/p/{project}/prompt/undo/{*prompt}", || {
        post(prompts::undo_move)
    }),
    does("/p/{project}/prompt/test/{*prompt}", || {
        post(prompts::test_label)
    }),
    does("/p/{project}/prompt/policy/{*prompt}", || {
        post(prompts::set_policy)
    }),
    does("/p/{project}/prompt/tags/{*prompt}", || {
        post(prompts::set_tags)
    }),
    does("/p/{project}/prompt/comments/{*prompt}", || {
        post(prompts::create_comment)
    }),
    does("/p/{project}/prompt/delete/{*prompt}", || {
        post(prompts::delete_prompt)
    }),
    // Playground
    shows("/p/{project}/playground", || {
        get(playground::show_playground)
    }),
    does("/p/{project}/playground/run", || {
        post(playground::run_window)
    }),
    does("/p/{project}/playground/prompt", || {
        post(playground::to_prompt)
    }),
    does("/p/{project}/playground/dataset", || {
        post(playground::to_dataset)
    }),
    // Datasets
    shows("/p/{project}/datasets", || get(datasets::list_datasets)),
    shows("/p/{project}/datasets/new", || get(datasets::new_dataset)),
    does("/p/{project}/datasets/new", || {
        post(datasets::create_dataset)
    }),
    shows("/p/{project}/datasets/add", || get(datasets::add_span)),
    does("/p/{project}/datasets/add", || post(datasets::create_item)),
    shows("/p/{project}/datasets/{dataset}", || {
        get(datasets::show_dataset)
    }),
    shows("/p/{project}/datasets/{dataset}/settings", || {
        get(datasets::show_settings)
    }),
    does("/p/{project}/datasets/{dataset}/settings", || {
        post(datasets::update_dataset)
    }),
    does("/p/{project}/datasets/{dataset}/archive", || {
        post(datasets::archive_dataset)
    }),
    shows("/p/{project}/datasets/{dataset}/fill", || {
        get(datasets::show_fill)
    }),
    does("/p/{project}/datasets/{dataset}/fill", || {
        post(datasets::fill_dataset)
    }),
    shows("/p/{project}/datasets/{dataset}/new-item", || {
        get(datasets::new_item)
    }),
    shows("/p/{project}/datasets/{dataset}/items/{item}", || {
        get(datasets::show_item)
    }),
    does("/p/{project}/datasets/{dataset}/items/{item}", || {
        post(datasets::update_item)
    }),
    does(
        "/p/{project}/datasets/{dataset}/items/{item}/archive",
        || post(datasets::archive_item),
    ),
    shows("/p/{project}/datasets/{dataset}/export/{form}", || {
        get(datasets::export_items)
    }),
    shows("/p/{project}/datasets/{dataset}/import", || {
        get(datasets::show_import)
    }),
    does("/p/{project}/datasets/{dataset}/import", || {
        post(datasets::upload_file).layer(DefaultBodyLimit::max(datasets::MAX_FORM_BYTES))
    }),
    shows("/p/{project}/datasets/{dataset}/import/{upload}", || {
        get(datasets::preview_import)
    }),
    does("/p/{project}/datasets/{dataset}/import/{upload}", || {
        post(datasets::import_file)
    }),
    shows("/p/{project}/datasets/{dataset}/compare", || {
        get(datasets::compare_runs)
    }),
    shows("/p/{project}/datasets/{dataset}/runs/{run}", || {
        get(datasets::show_run)
    }),
    shows("/project/{project}/datasets", || {
        get(datasets::forward_datasets)
    }),
    shows("/project/{project}/datasets/{dataset}", || {
        get(datasets::forward_dataset)
    }),
    shows("/project/{project}/datasets/{dataset}/items", || {
        get(datasets::forward_dataset)
    }),
    shows("/project/{project}/datasets/{dataset}/items/{item}", || {
        get(datasets::forward_item)
    }),
    shows("/project/{project}/datasets/{dataset}/runs", || {
        get(datasets::forward_dataset)
    }),
    shows("/project/{project}/datasets/{dataset}/runs/{run}", || {
        get(datasets::forward_run)
    }),
    shows("/project/{project}/experiments", || {
        get(datasets::forward_datasets)
    }),
    shows("/project/{project}/experiments/results", || {
        get(datasets::forward_experiment)
    }),
    // Evaluators
    shows("/p/{project}/evaluators", || {
        get(evaluators::list_evaluators)
    }),
    shows("/p/{project}/evaluators/new", || {
        get(evaluators::new_evaluator)
    }),
    does("/p/{project}/evaluators/new", || {
        post(evaluators::create_evaluator)
    }),
    shows("/p/{project}/evaluators/{evaluator}", || {
        get(evaluators::show_evaluator)
    }),
    shows("/p/{project}/evaluators/{evaluator}/edit", || {
        get(evaluators::edit_evaluator)
    }),
    does("/p/{project}/evaluators/{evaluator}/edit", || {
        post(evaluators::update_evaluator)
    }),
    does("/p/{project}/evaluators/{evaluator}/switch", || {
        post(evaluators::switch_evaluator)
    }),
    does("/p/{project}/evaluators/{evaluator}/backfill", || {
        post(evaluators::backfill_evaluator)
    }),
    does("/p/{project}/evaluators/{evaluator}/delete", || {
        post(evaluators::delete_evaluator)
    }),
    // Annotation
    shows("/p/{project}/queues", || get(queues::list_queues)),
    shows("/p/{project}/queues/new", || get(queues::new_queue)),
    does("/p/{project}/queues/new", || post(queues::create_queue)),
    shows("/p/{project}/queues/add", || get(queues::choose_queue)),
    does("/p/{project}/queues/add", || post(queues::add_to_queue)),
    shows("/p/{project}/queues/{queue}", || get(queues::show_queue)),
    shows("/p/{project}/queues/{queue}/edit", || {
        get(queues::edit_queue)
    }),
    does("/p/{project}/queues/{queue}/edit", || {
        post(queues::update_queue)
    }),
    does("/p/{project}/queues/{queue}/archive", || {
        post(queues::archive_queue)
    }),
    does("/p/{project}/queues/{queue}/people", || {
        post(queues::assign_person)
    }),
    does("/p/{project}/queues/{queue}/fill", || {
        post(queues::fill_queue)
    }),
    does("/p/{project}/queues/{queue}/label", || {
        post(queues::open_next)
    }),
    shows("/p/{project}/queues/{queue}/items/{item}", || {
        get(queues::show_item)
    }),
    does("/p/{project}/queues/{queue}/items/{item}", || {
        post(queues::judge_item)
    }),
    does("/p/{project}/queues/{queue}/items/{item}/decide", || {
        post(queues::decide_item)
    }),
    shows("/p/{project}/queues/{queue}/agreement", || {
        get(queues::show_agreement)
    }),
    does("/p/{project}/queues/{queue}/export", || {
        post(queues::export_queue)
    }),
];

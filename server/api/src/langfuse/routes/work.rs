//! What people make: prompts, datasets, queues, remarks.

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use super::{MAX_ITEM, Route};
use crate::langfuse::access::Access;
use crate::langfuse::error::Family;
use crate::langfuse::{
    annotation_queues, comments, dataset_items, dataset_runs, datasets, experiments, prompts,
};

pub(super) const TABLE: &[Route] = &[
    // Prompts. A name may hold slashes as they are, so that its path has no end.
    Route {
        path: "/v2/prompts",
        family: Family::Named,
        access: Access::Project,
        methods: || get(prompts::list_prompts).post(prompts::create_prompt),
    },
    Route {
        path: "/v2/prompts/{*rest}",
        family: Family::Named,
        access: Access::Project,
        methods: || {
            get(prompts::show_prompt)
                .patch(prompts::label_prompt)
                .delete(prompts::delete_prompt)
        },
    },
    Route {
        path: "/prompts",
        family: Family::Named,
        access: Access::Project,
        methods: || get(prompts::v1::show_prompt).post(prompts::v1::create_prompt),
    },
    // Datasets. Those of the second version may hold slashes as they are; below those of the first come
    // runs, so that theirs are written as `%2F`.
    Route {
        path: "/v2/datasets",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(datasets::list_datasets).post(datasets::create_dataset),
    },
    Route {
        path: "/v2/datasets/{*dataset_name}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(datasets::show_dataset),
    },
    Route {
        path: "/datasets",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(datasets::v1::list_datasets).post(datasets::v1::create_dataset),
    },
    Route {
        path: "/datasets/{dataset_name}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(datasets::v1::show_dataset),
    },
    Route {
        path: "/datasets/{dataset_name}/runs",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(dataset_runs::list_runs),
    },
    Route {
        path: "/datasets/{dataset_name}/runs/{run_name}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(dataset_runs::show_run).delete(dataset_runs::delete_run),
    },
    Route {
        path: "/dataset-items",
        family: Family::Standard,
        access: Access::Project,
        methods: || {
            let write = post(dataset_items::write_dataset_item);
            write
                .layer(DefaultBodyLimit::max(MAX_ITEM))
                .get(dataset_items::list_dataset_items)
        },
    },
    Route {
        path: "/dataset-items/{item_id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || {
            get(dataset_items::show_dataset_item).delete(dataset_items::delete_dataset_item)
        },
    },
    Route {
        path: "/dataset-run-items",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(dataset_runs::list_run_items).post(dataset_runs::link_item),
    },
    // Experiments; they come as spans, or as links of runs.
    Route {
        path: "/experiments",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(experiments::list_experiments),
    },
    Route {
        path: "/experiment-items",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(experiments::list_experiment_items),
    },
    // Queues for people who judge.
    Route {
        path: "/annotation-queues",
        family: Family::Standard,
        access: Access::Project,
        methods: || {
            get(annotation_queues::list_annotation_queues)
                .post(annotation_queues::create_annotation_queue)
        },
    },
    Route {
        path: "/annotation-queues/{queue_id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(annotation_queues::show_annotation_queue),
    },
    Route {
        path: "/annotation-queues/{queue_id}/items",
        family: Family::Standard,
        access: Access::Project,
        methods: || {
            get(annotation_queues::items::list_items).post(annotation_queues::items::create_item)
        },
    },
    Route {
        path: "/annotation-queues/{queue_id}/items/{item_id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || {
            get(annotation_queues::items::show_item)
                .patch(annotation_queues::items::update_item)
                .delete(annotation_queues::items::delete_item)
        },
    },
    Route {
        path: "/annotation-queues/{queue_id}/assignments",
        family: Family::Standard,
        access: Access::Project,
        methods: || {
            post(annotation_queues::assignments::create_assignment)
                .delete(annotation_queues::assignments::delete_assignment)
        },
    },
    // Remarks on things.
    Route {
        path: "/comments",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(comments::list_comments).post(comments::create_comment),
    },
    Route {
        path: "/comments/{comment_id}",
        family: Family::Standard,
        access: Access::Project,
        methods: || get(comments::show_comment),
    },
];

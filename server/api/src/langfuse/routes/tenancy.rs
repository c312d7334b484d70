//! Organisations, projects, keys, members, and the server itself.

use axum::routing::{delete, get, post, put};

use super::Route;
use crate::langfuse::access::Access;
use crate::langfuse::error::Family;
use crate::langfuse::{
    admin, blob_storage, health, llm_connections, models, organisations, projects, scim,
};

pub(super) const TABLE: &[Route] = &[
    // The server itself.
    Route {
        path: "/health",
        family: Family::Standard,
        access: Access::Open,
        methods: || get(health::show_health),
    },
    Route {
        path: "/ready",
        family: Family::Standard,
        access: Access::Open,
        methods: || get(health::show_readiness),
    },
    // Projects.
    Route {
        path: "/projects",
        family: Family::Plain,
        access: Access::Project,
        methods: || get(projects::list_projects),
    },
    Route {
        path: "/projects",
        family: Family::Plain,
        access: Access::Organisation,
        methods: || post(projects::create_project),
    },
    Route {
        path: "/projects/{project_id}",
        family: Family::Plain,
        access: Access::Organisation,
        methods: || put(projects::update_project).delete(projects::delete_project),
    },
    Route {
        path: "/projects/{project_id}/apiKeys",
        family: Family::Bare,
        access: Access::Organisation,
        methods: || get(organisations::list_project_keys).post(organisations::create_project_key),
    },
    Route {
        path: "/projects/{project_id}/apiKeys/{key_id}",
        family: Family::Bare,
        access: Access::Organisation,
        methods: || delete(organisations::delete_project_key),
    },
    Route {
        path: "/projects/{project_id}/memberships",
        family: Family::Bare,
        access: Access::Organisation,
        methods: || {
            get(organisations::list_project_memberships)
                .put(organisations::set_project_membership)
                .delete(organisations::delete_project_membership)
        },
    },
    // Organisations.
    Route {
        path: "/organizations/projects",
        family: Family::Bare,
        access: Access::Organisation,
        methods: || get(organisations::list_projects),
    },
    Route {
        path: "/organizations/apiKeys",
        family: Family::Bare,
        access: Access::Organisation,
        methods: || get(organisations::list_keys),
    },
    Route {
        path: "/organizations/memberships",
        family: Family::Bare,
        access: Access::Organisation,
        methods: || {
            get(organisations::list_memberships)
                .put(organisations::set_membership)
                .delete(organisations::delete_membership)
        },
    },
    Route {
        path: "/scim/ServiceProviderConfig",
        family: Family::Scim,
        access: Access::Organisation,
        methods: || get(scim::show_config),
    },
    Route {
        path: "/scim/ResourceTypes",
        family: Family::Scim,
        access: Access::Organisation,
        methods: || get(scim::list_resource_types),
    },
    Route {
        path: "/scim/Schemas",
        family: Family::Scim,
        access: Access::Organisation,
        methods: || get(scim::list_schemas),
    },
    Route {
        path: "/scim/Users",
        family: Family::Scim,
        access: Access::Organisation,
        methods: || get(scim::list_users).post(scim::create_user),
    },
    Route {
        path: "/scim/Users/{user_id}",
        family: Family::Scim,
        access: Access::Organisation,
        methods: || {
            get(scim::show_user)
                .put(scim::replace_user)
                .patch(scim::patch_user)
                .delete(scim::delete_user)
        },
    },
    Route {
        path: "/api/admin/organizations",
        family: Family::Bare,
        access: Access::Operator,
        methods: || get(admin::list_organisations).post(admin::create_organisation),
    },
    Route {
        path: "/api/admin/organizations/{organisation_id}",
        family: Family::Bare,
        access: Access::Operator,
        methods: || {
            get(admin::show_organisation)
                .put(admin::update_organisation)
                .delete(admin::delete_organisation)
        },
    },
    Route {
        path: "/api/admin/organizations/{organisation_id}/apiKeys",
        family: Family::Bare,
        access: Access::Operator,
        methods: || get(admin::list_keys).post(admin::create_key),
    },
    Route {
        path: "/api/admin/organizations/{organisation_id}/apiKeys/{key_id}",
        family: Family::Bare,
        access: Access::Operator,
        methods: || delete(admin::delete_key),
    },
    // Exports to object stores.
    Route {
        path: "/integrations/blob-storage",
        family: Family::Standard,
        access: Access::Organisation,
        methods: || get(blob_storage::list_blob_storages).put(blob_storage::set_blob_storage),
    },
    Route {
        path: "/integrations/blob-storage/{id}",
        family: Family::Standard,
        access: Access::Organisation,
        methods: || get(blob_storage::show_blob_storage).delete(blob_storage::delete_blob_storage),
    },
    // Providers of models.
    Route {
        path: "/llm-connections",
        family: Family::Standard,
        access: Access::ProjectOrOperator,
        methods: || {
            get(llm_connections::list_llm_connections).put(llm_connections::set_llm_connection)
        },
    },
    Route {
        path: "/llm-connections/{id}",
        family: Family::Standard,
        access: Access::ProjectOrOperator,
        methods: || delete(llm_connections::delete_llm_connection),
    },
    // What models cost.
    Route {
        path: "/models",
        family: Family::Standard,
        access: Access::ProjectOrOperator,
        methods: || get(models::list_models).post(models::create_model),
    },
    Route {
        path: "/models/{id}",
        family: Family::Standard,
        access: Access::ProjectOrOperator,
        methods: || get(models::show_model).delete(models::delete_model),
    },
];

//! LiteLLM's own exporter.

keys! {
    METADATA_USER_API_KEY_END_USER_ID = "metadata.user_api_key_end_user_id",
    METADATA_USER_API_KEY_USER_ID = "metadata.user_api_key_user_id",
    CACHE_HIT = "litellm.cache_hit",
    COST_TOTAL = "gen_ai.cost.total_cost",
}

//! Attribute keys of the telemetry conventions, as constants, grouped by convention.
//!
//! A key in quotes anywhere else is a mistake.

/// OpenTelemetry resource and general keys.
pub mod otel {
    /// Logical name of the service.
    pub const SERVICE_NAME: &str = "service.name";
    /// Version of the service.
    pub const SERVICE_VERSION: &str = "service.version";
    /// One running copy of the service.
    pub const SERVICE_INSTANCE_ID: &str = "service.instance.id";
    /// Deployment environment, current name.
    pub const DEPLOYMENT_ENVIRONMENT_NAME: &str = "deployment.environment.name";
    /// Deployment environment, older name.
    pub const DEPLOYMENT_ENVIRONMENT: &str = "deployment.environment";
    /// Event that carries an exception.
    pub const EXCEPTION_EVENT: &str = "exception";
    /// Class of an exception.
    pub const EXCEPTION_TYPE: &str = "exception.type";
    /// Text of an exception.
    pub const EXCEPTION_MESSAGE: &str = "exception.message";
    /// Class of a failure.
    pub const ERROR_TYPE: &str = "error.type";
    /// Where OpenTelemetry has no attribute: attributes that the sender dropped.
    pub const DROPPED_ATTRIBUTES_COUNT: &str = "otel.dropped_attributes_count";
    /// Events that were dropped.
    pub const DROPPED_EVENTS_COUNT: &str = "otel.dropped_events_count";
    /// Links that were dropped.
    pub const DROPPED_LINKS_COUNT: &str = "otel.dropped_links_count";
    /// W3C trace state of a span.
    pub const TRACE_STATE: &str = "w3c.tracestate";
    /// Put before the keys of a scope's attributes where they stand among a span's.
    pub const SCOPE_PREFIX: &str = "otel.scope.";
}

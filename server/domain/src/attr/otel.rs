//! OpenTelemetry resource and general keys.

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
/// Name of an event among its attributes, before OTLP had a field for it.
pub const EVENT_NAME: &str = "event.name";
/// The same, as some write it.
pub const EVENT_NAME_FLAT: &str = "event_name";
/// Body of a log record that stands among the events of a span.
pub const BODY: &str = "body";
/// Severity of such a record.
pub const SEVERITY: &str = "severity";
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
/// User of the application.
pub const USER_ID: &str = "user.id";
/// User, older name.
pub const ENDUSER_ID: &str = "enduser.id";
/// Session.
pub const SESSION_ID: &str = "session.id";
/// Labels, without any convention.
pub const TAGS: &str = "tags";
/// Tenant.
pub const TENANT_ID: &str = "tenant.id";
/// Tenant, as many write it.
pub const TENANT_ID_PLAIN: &str = "tenant_id";
/// Tenant among free metadata.
pub const METADATA_TENANT_ID: &str = "metadata.tenant_id";
/// Route of an HTTP server.
pub const HTTP_ROUTE: &str = "http.route";
/// Path of a URL.
pub const URL_PATH: &str = "url.path";
/// Method of an HTTP request.
pub const HTTP_REQUEST_METHOD: &str = "http.request.method";
/// Method of an HTTP request, older name.
pub const HTTP_METHOD: &str = "http.method";
/// Database product.
pub const DB_SYSTEM: &str = "db.system";
/// Database product, current name.
pub const DB_SYSTEM_NAME: &str = "db.system.name";
/// Messaging product.
pub const MESSAGING_SYSTEM: &str = "messaging.system";
/// System of remote calls.
pub const RPC_SYSTEM: &str = "rpc.system";
/// Method of a call of the Model Context Protocol.
pub const MCP_METHOD_NAME: &str = "mcp.method.name";
/// Revision of the source.
pub const VCS_REF_HEAD_REVISION: &str = "vcs.ref.head.revision";
/// Pod of Kubernetes.
pub const K8S_POD_NAME: &str = "k8s.pod.name";
/// Host.
pub const HOST_NAME: &str = "host.name";
/// Event of the first token.
pub const FIRST_TOKEN_EVENT: &str = "first_token";
/// Input, without any convention.
pub const INPUT: &str = "input";
/// Output, without any convention.
pub const OUTPUT: &str = "output";

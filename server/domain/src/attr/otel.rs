//! OpenTelemetry resource and general keys.

keys! {
    /// Logical name of the service.
    SERVICE_NAME = "service.name",
    /// Version of the service.
    SERVICE_VERSION = "service.version",
    /// One running copy of the service.
    SERVICE_INSTANCE_ID = "service.instance.id",
    /// Deployment environment, current name.
    DEPLOYMENT_ENVIRONMENT_NAME = "deployment.environment.name",
    /// Deployment environment, older name.
    DEPLOYMENT_ENVIRONMENT = "deployment.environment",
    /// Event that carries an exception.
    EXCEPTION_EVENT = "exception",
    /// Class of an exception.
    EXCEPTION_TYPE = "exception.type",
    /// Text of an exception.
    EXCEPTION_MESSAGE = "exception.message",
    /// Name of an event among its attributes, before OTLP had a field for it.
    EVENT_NAME = "event.name",
    /// The same, as some write it.
    EVENT_NAME_FLAT = "event_name",
    /// Body of a log record that stands among the events of a span.
    BODY = "body",
    /// Severity of such a record.
    SEVERITY = "severity",
    /// Class of a failure.
    ERROR_TYPE = "error.type",
    /// Where OpenTelemetry has no attribute: attributes that the sender dropped.
    DROPPED_ATTRIBUTES_COUNT = "otel.dropped_attributes_count",
    /// Events that were dropped.
    DROPPED_EVENTS_COUNT = "otel.dropped_events_count",
    /// Links that were dropped.
    DROPPED_LINKS_COUNT = "otel.dropped_links_count",
    /// W3C trace state of a span.
    TRACE_STATE = "w3c.tracestate",
    /// Put before the keys of a scope's attributes where they stand among a span's.
    SCOPE_PREFIX = "otel.scope.",
    /// User of the application.
    USER_ID = "user.id",
    /// User, older name.
    ENDUSER_ID = "enduser.id",
    /// Session.
    SESSION_ID = "session.id",
    /// Labels, without any convention.
    TAGS = "tags",
    /// Tenant.
    TENANT_ID = "tenant.id",
    /// Tenant, as many write it.
    TENANT_ID_PLAIN = "tenant_id",
    /// Tenant among free metadata.
    METADATA_TENANT_ID = "metadata.tenant_id",
    /// Route of an HTTP server.
    HTTP_ROUTE = "http.route",
    /// Path of a URL.
    URL_PATH = "url.path",
    /// Method of an HTTP request.
    HTTP_REQUEST_METHOD = "http.request.method",
    /// Method of an HTTP request, older name.
    HTTP_METHOD = "http.method",
    /// Database product.
    DB_SYSTEM = "db.system",
    /// Database product, current name.
    DB_SYSTEM_NAME = "db.system.name",
    /// Messaging product.
    MESSAGING_SYSTEM = "messaging.system",
    /// System of remote calls.
    RPC_SYSTEM = "rpc.system",
    /// Method of a call of the Model Context Protocol.
    MCP_METHOD_NAME = "mcp.method.name",
    /// Revision of the source.
    VCS_REF_HEAD_REVISION = "vcs.ref.head.revision",
    /// Pod of Kubernetes.
    K8S_POD_NAME = "k8s.pod.name",
    /// Host.
    HOST_NAME = "host.name",
    /// Event of the first token.
    FIRST_TOKEN_EVENT = "first_token",
    /// Input, without any convention.
    INPUT = "input",
    /// Output, without any convention.
    OUTPUT = "output",
}

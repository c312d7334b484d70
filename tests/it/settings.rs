//! Settings that cannot be used.

use std::process::Command;

use tests::binary;

#[test]
fn unusable_settings_end_the_start_with_code_2_and_one_line_that_names_them() {
    let folder = tempfile::tempdir().unwrap();
    for (variable, value) in [
        ("TRIAXIS_MAX_BODY_BYTES", "0"),
        ("TRIAXIS_SPOOL_MAX_BYTES", "1024"),
        ("TRIAXIS_DATABASE_URL", "mysql://u:hidden@h/d"),
        ("TRIAXIS_CLICKHOUSE_URL", "ftp://u:hidden@h/d"),
        ("TRIAXIS_PUBLIC_URL", "javascript:alert"),
        ("TRIAXIS_TRUSTED_PROXIES", "everybody"),
        ("TRIAXIS_INIT_EMAIL", "nobody"),
        ("TRIAXIS_INIT_PROJECT_RETENTION", "2"),
        ("LANGFUSE_INIT_PROJECT_RETENTION", "a month"),
        ("TRIAXIS_ADMIN_API_KEY", "hidden"),
        ("TRIAXIS_ENCRYPTION_KEY", "hidden"),
        ("TRIAXIS_OIDC_ISSUER", "login.example.com"),
        ("TRIAXIS_OIDC_ONLY", "true"),
        ("TRIAXIS_DATA_DIR", "/dev/null/x"),
        ("TRIAXIS_MEDIA_DIR", "/dev/null/x"),
        ("TRIAXIS_MEDIA_MAX_BYTES", "0"),
        ("TRIAXIS_MEDIA_PROJECT_MAX_BYTES", "0"),
    ] {
        let ended = Command::new(binary())
            .arg("serve")
            .env("TRIAXIS_LISTEN", "127.0.0.1:0")
            .env("TRIAXIS_OTLP_GRPC_LISTEN", "")
            .env("TRIAXIS_OTLP_HTTP_LISTEN", "")
            .env("TRIAXIS_DATA_DIR", folder.path().join("data"))
            .env(variable, value)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{variable}: {told}");
        assert_eq!(told.trim().lines().count(), 1, "{told}");
        assert!(told.contains(&format!("{variable}: ")), "{told}");
        assert!(!told.contains("hidden"), "{told}");
    }
}

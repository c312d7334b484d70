# Stage 1 builds the binary; stage 2 holds it and nothing else. The image has no engines of its own:
# it is made for a ClickHouse and a Postgres beside it, as docker-compose.yml has them.
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
ENV SQLX_OFFLINE=true
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/build/target \
    cargo build --release --locked -p triaxis \
    && cp target/release/triaxis /triaxis

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/triaxis --create-home triaxis
COPY --from=build /triaxis /usr/local/bin/triaxis
USER triaxis
VOLUME /var/lib/triaxis
ENV TRIAXIS_DATA_DIR=/var/lib/triaxis \
    TRIAXIS_LISTEN=0.0.0.0:3000 \
    TRIAXIS_OTLP_GRPC_LISTEN=0.0.0.0:4317 \
    TRIAXIS_OTLP_HTTP_LISTEN=0.0.0.0:4318
EXPOSE 3000 4317 4318
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=12 CMD ["triaxis", "health"]
ENTRYPOINT ["triaxis"]
CMD ["serve"]

# The node as one file on a plain system: no package manager, no shell script, no root.
#   docker build -t orrery .
#   docker run --rm -p 127.0.0.1:1317:1317 -v orrery:/data --read-only --tmpfs /tmp orrery

FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-fund --no-audit
COPY . .
ARG TARGETARCH=amd64
RUN case "$TARGETARCH" in amd64) arch=x64 ;; *) arch="$TARGETARCH" ;; esac \
 && node bin/run.mjs scripts/build-executables.ts "$arch" \
 && mv "dist/orrery-linux-$arch" dist/orrery \
 && mkdir /data

FROM debian:bookworm-slim
COPY --from=build /build/dist/orrery /usr/local/bin/orrery
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
# Doors must listen on the container's own address; what is published, and where, is said from outside.
ENV ORRERY_HOME=/data \
    ORRERY_API=0.0.0.0:1317 \
    ORRERY_RPC=0.0.0.0:26657 \
    ORRERY_METRICS=127.0.0.1:9317 \
    ORRERY_LOG_FORMAT=json
VOLUME /data
EXPOSE 1317 26657
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["orrery", "query", "get-node-info", "--node", "http://127.0.0.1:1317", "--json"]
ENTRYPOINT ["orrery"]
CMD ["dev"]

# The server of orch as an image. From the root of the checkout: docker build -t orch .
# For steps that use Docker: docker build -t orch:worker-docker --target worker-docker . (docs/deploy/README.md says what that means)
FROM node:24-trixie-slim AS package
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund && npm run --silent dist -- --no-types

FROM node:24-trixie-slim AS modules
WORKDIR /opt/orch
COPY --from=package /build/dist/ ./
COPY --from=package /build/docs/deploy/prune-modules.sh /tmp/prune-modules.sh
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && sh /tmp/prune-modules.sh

FROM node:24-trixie-slim AS server
RUN apt-get update && apt-get install -y --no-install-recommends bash bubblewrap ca-certificates curl git jq openssh-client postgresql-client tini util-linux && rm -rf /var/lib/apt/lists/*
COPY --from=modules /opt/orch /opt/orch
RUN ln -s /opt/orch/src/orch.cjs /usr/local/bin/orch && useradd --uid 3400 --create-home orch && install -d -m 0700 -o 3400 -g 3400 /var/lib/orch
USER 3400:3400
WORKDIR /home/orch
ENV NODE_ENV=production ORCH_HOST=0.0.0.0 ORCH_PUBLIC_HOST=localhost ORCH_DATA_DIR=/var/lib/orch
VOLUME /var/lib/orch
EXPOSE 3400
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["orch", "ready"]
ENTRYPOINT ["/usr/bin/tini", "--", "orch"]
CMD ["serve"]

FROM server AS worker-docker
COPY --from=docker:28-cli /usr/local/bin/docker /usr/local/bin/docker
COPY --from=docker:28-cli /usr/local/libexec/docker/cli-plugins/docker-compose /usr/local/libexec/docker/cli-plugins/docker-compose

FROM server

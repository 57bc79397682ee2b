# The image of the gateway, and of the engine guard beside it (`docker compose build`): the package that is published, with
# what is installed beside it. Any base with Node 24.12 or newer and npm will do.
ARG BASE_IMAGE=node:24-bookworm-slim

FROM ${BASE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY CHANGELOG.md LICENSE README.md README.zh-CN.md Dockerfile.sandbox .env.example ./
COPY config ./config
COPY docs ./docs
COPY packaging ./packaging
COPY scripts ./scripts
COPY src ./src
RUN node scripts/bundle.mjs --package /app && cd /app && npm ci --ignore-scripts --no-audit --no-fund

FROM ${BASE_IMAGE}
WORKDIR /app
COPY --from=build /app ./
# `docker compose exec gateway kurisu doctor`, as the hints say it.
RUN ln -s /app/dist/kurisu.mjs /usr/local/bin/kurisu

# By number, so that it need not exist; one that owns nothing else on the host, since it owns the workspaces there.
RUN install -d -m 700 -o 10485 -g 10485 /var/lib/kurisu
USER 10485:10485
# Few heaps for few threads and a small young generation, as in scripts/node.mjs.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 KURISU_HOME=/var/lib/kurisu
VOLUME /var/lib/kurisu
EXPOSE 10485
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.KURISU_PORT || 10485}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=4", "dist/kurisu.mjs"]
CMD ["start"]

# The image of the gateway, and of the engine guard beside it (`docker compose build`). Sources run as they are: no build step.
# Any base with Node 24.12 or newer and npm will do.
ARG BASE_IMAGE=node:24-bookworm-slim

FROM ${BASE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${BASE_IMAGE}
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY config ./config
COPY src ./src
# `docker compose exec gateway kurisu doctor`, as the hints say it.
RUN chmod 755 src/main.ts && ln -s /app/src/main.ts /usr/local/bin/kurisu

# By number, so that it need not exist; one that owns nothing else on the host, since it owns the workspaces there.
RUN install -d -m 700 -o 10485 -g 10485 /var/lib/kurisu
USER 10485:10485
ENV NODE_ENV=production KURISU_HOME=/var/lib/kurisu
VOLUME /var/lib/kurisu
EXPOSE 10485
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.KURISU_PORT || 10485}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/main.ts"]
CMD ["start"]

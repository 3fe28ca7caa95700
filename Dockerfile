# The server as an image: built in one stage, run in another as a user without rights, on a read-only file system if wanted.
# The digest is that of the index for all architectures. `docker buildx imagetools inspect node:24-bookworm-slim` tells a newer one.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS build
WORKDIR /build
# `node` from npm serves machines with an older Node; this image brings its own.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY console ./console
COPY scripts/build.ts scripts/bundle.ts scripts/build-console.ts ./scripts/
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY package.json LICENSE README.md ./
COPY bin ./bin
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080 7687
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "const tls = process.env.GRAPHDB_TLS_CERT ? 's' : ''; if (tls) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; fetch('http' + tls + '://127.0.0.1:' + (process.env.GRAPHDB_LISTEN ?? ':8080').split(':').pop() + '/v0/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# GRAPHDB_STORE and GRAPHDB_AUTH_TOKEN come from outside. The program gets SIGTERM itself: bin/graphdb-server replaces its shell.
ENTRYPOINT ["bin/graphdb-server"]

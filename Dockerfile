# The product as a container: one stage builds it, the other runs it without tools, root or a writable file system.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm run -s image-tree -- /app && install -d -o 1000 -g 1000 /data

FROM node:24-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/node-compile-cache
COPY --from=build /app /app
COPY --from=build --chown=1000:1000 /data /data
USER 1000:1000
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8787}/api/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=4", "--heap-growing-percent=30", "/app/server/main.js"]

# The service as one program in an image without a shell; docs/deployment.md says how to run it.

FROM oven/bun:1.4.4-slim AS build
WORKDIR /source
COPY package.json bun.lock bunfig.toml ./
RUN bun install --production --frozen-lockfile
COPY . .
RUN bun run build && mkdir -m 700 /data

# Answers the health check; the image has no other program. Its name decides what it does.
FROM busybox:1.37.0-musl AS probe

# glibc, libstdc++ and certificates.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=probe /bin/busybox /usr/bin/wget
COPY --from=build /source/dist/vehicle-inventory /usr/bin/vehicle-inventory
COPY --from=build --chown=65532:65532 /data /data
ENV DATABASE_URL=sqlite:/data/inventory.db HOST=0.0.0.0
# With 16 GB of memory or more the runtime lets the heap triple between two collections; so it doubles, as with less.
ENV BUN_JSC_heapGrowthMaxIncrease=1
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=3s --start-period=60s --retries=2 \
  CMD ["/usr/bin/wget", "-q", "-O", "/dev/null", "http://127.0.0.1:3000/health/ready"]
ENTRYPOINT ["/usr/bin/vehicle-inventory"]
CMD ["serve"]

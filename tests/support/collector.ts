/** A span as a collector gets it in OTLP's JSON. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly status: { readonly code?: number };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (ReceivedSpan & { readonly attributes: readonly Attribute[] })[];
    }[];
  }[];
}

const plain = (attributes: readonly Attribute[]): Record<string, string | number> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

/** A real listener that takes traces as collectors do. */
export const openCollector = () => {
  const bodies: string[] = [];
  const requests: { readonly path: string; readonly headers: Headers }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      requests.push({ path: new URL(request.url).pathname, headers: request.headers });
      bodies.push(await request.text());
      return Response.json({});
    },
  });
  const sent = (): Sent[] => bodies.map((body) => JSON.parse(body));
  return {
    url: server.url.origin,
    requests,
    /** Everything that has arrived, as text. */
    text: () => bodies.join("\n"),
    spans: (): ReceivedSpan[] =>
      sent()
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ ...span, attributes: plain(span.attributes) })),
    resource: () => plain(sent()[0]?.resourceSpans[0]?.resource.attributes ?? []),
    close: () => server.stop(true),
  };
};

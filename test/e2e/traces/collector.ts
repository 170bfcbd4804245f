// A collector of OpenTelemetry on loopback: it takes what the real exporter sends as JSON, and keeps every span.
import { z } from "zod";
import { sendJson, startRawServer } from "../../support/tool-server.ts";

const Value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
]);
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));

const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes: Attributes,
  events: z.array(z.object({ name: z.string(), attributes: Attributes })).default([]),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.number().default(0), message: z.string().optional() }),
});
export type Span = z.infer<typeof Span>;

const Request = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
});

export async function startCollector() {
  const server = await startRawServer((_received, response) => sendJson(response, {}));
  const spans = (): Span[] =>
    server.received.flatMap(({ body }) =>
      Request.parse(body).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  return {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.port}` },
    spans,
    /** Everything that was sent. */
    text: () => JSON.stringify(server.received.map(({ body }) => body)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { untilTestEnds } from "./keep-until.ts";

type Value = string | number;

/** A span as it came, its attributes by name. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, Value>> }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** Milliseconds. */
  readonly took: number;
}

export interface OtlpCollector {
  readonly url: string;
  /** The bodies of all requests. */
  readonly bodies: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
  spans(): readonly CollectedSpan[];
}

/** A collector on 127.0.0.1 that takes traces by OTLP over HTTP in JSON. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const isTraces = request.url === "/v1/traces" && request.headers["content-type"] === "application/json";
      if (isTraces) {
        bodies.push(body);
        headers.push(request.headers);
      }
      response.writeHead(isTraces ? 200 : 404, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  untilTestEnds(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    spans: () =>
      bodies.flatMap((body) =>
        (JSON.parse(body) as Payload).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans.map(readSpan)),
        ),
      ),
  };
}

interface Payload {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

type RawAttributes = readonly {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}[];

interface RawSpan extends Pick<CollectedSpan, "kind" | "name" | "spanId" | "traceId"> {
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: RawAttributes;
  readonly events: readonly { readonly name: string; readonly attributes: RawAttributes }[];
  readonly links: CollectedSpan["links"];
}

function readSpan(raw: RawSpan): CollectedSpan {
  const { kind, name, parentSpanId = "", spanId, traceId } = raw;
  return {
    name,
    kind,
    spanId,
    traceId,
    parentSpanId,
    attributes: readAttributes(raw.attributes),
    events: raw.events.map((event) => ({ name: event.name, attributes: readAttributes(event.attributes) })),
    links: raw.links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    took: Number(BigInt(raw.endTimeUnixNano) - BigInt(raw.startTimeUnixNano)) / 1e6,
  };
}

function readAttributes(raw: RawAttributes): Readonly<Record<string, Value>> {
  return Object.fromEntries(raw.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
}

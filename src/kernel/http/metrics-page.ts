import type { Metric } from "prom-client";
import type { HttpRoutes } from "../../channels/http-routes.ts";
import { isOnThisMachine } from "./is-on-this-machine.ts";

/** A value of a metric, with the labels that distinguish it. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
  /** The part of a histogram that the value belongs to. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
}

/** A metric with its values as of now. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

export function describeGauge(name: string, help: string, value: number): Family {
  return { name, help, type: "gauge", samples: [{ value }] };
}

export function describeCounter(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, help, type: "counter", samples };
}

/**
 * A section of `GET /metrics`, in the text format of Prometheus. Sections that are mounted later follow below. Model
 * names and loads are for the machine itself only.
 */
export function mountSection({ app }: Pick<HttpRoutes, "app">, list: () => Promise<readonly Family[]>): void {
  app.get("/metrics", async (context, next) => {
    if (!isOnThisMachine(context.env.incoming)) return context.text("only for programs on this machine\n", 403);
    const { contentType, text: own } = await writeFamilies(await list());
    await next();
    const below = context.res.ok ? await context.res.text() : "";
    // Cleared first, because Hono would keep the headers of the earlier response.
    context.res = undefined;
    context.res = context.text([own, below].filter((text) => text !== "").join("\n"), 200, {
      "Content-Type": contentType,
    });
    return undefined;
  });
}

/**
 * The counts are our own plain numbers, and prom-client only writes them: it is loaded by the first request, so that an
 * installation that no Prometheus reads does not carry it.
 */
async function writeFamilies(families: readonly Family[]): Promise<{ readonly contentType: string; text: string }> {
  const { Registry } = await import("prom-client");
  const registry = new Registry();
  for (const family of families) registry.registerMetric(toMetric(family));
  const text = families.length === 0 ? "" : await registry.metrics();
  return { contentType: registry.contentType, text };
}

/** A registry needs no more of a metric than its name, and its values when it asks. */
function toMetric({ name, help, type, samples }: Family): Metric {
  const values = samples.map(({ labels = {}, value, suffix = "" }) => ({
    metricName: `${name}${suffix}`,
    labels,
    value,
  }));
  const metric = { name, get: async () => ({ name, help, type, values, aggregator: "sum" }) };
  return metric as unknown as Metric;
}

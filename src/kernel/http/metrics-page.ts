import type { HttpRoutes } from "../../channels/http-routes.ts";
import { isOnThisMachine } from "./is-on-this-machine.ts";

/** A value of a metric and what tells it from the others. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

const format = { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" };

/**
 * A section of `GET /metrics`, in the text format of Prometheus. Sections that are mounted later follow below. Model
 * names and loads are for the machine itself only.
 */
export function mountSection({ app }: Pick<HttpRoutes, "app">, lines: () => Promise<readonly string[]>): void {
  app.get("/metrics", async (context, next) => {
    if (!isOnThisMachine(context.env.incoming)) return context.text("only for programs on this machine\n", 403);
    const own = (await lines()).map((line) => `${line}\n`).join("");
    await next();
    const below = context.res.ok ? await context.res.text() : "";
    // Without the answer of before, whose headers would be kept.
    context.res = undefined;
    context.res = context.text(own + below, 200, format);
    return undefined;
  });
}

export function describeMetric(
  name: string,
  help: string,
  samples: readonly Sample[],
  type: "counter" | "gauge" = "counter",
): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(({ labels = {}, value }) => `${name}${showLabels(Object.entries(labels))} ${value}`),
  ];
}

function showLabels(labels: readonly (readonly [string, string])[]): string {
  return labels.length === 0 ? "" : `{${labels.map(showLabel).join(",")}}`;
}

function showLabel([name, value]: readonly [string, string]): string {
  return `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

import type { HttpRoutes } from "../../channels/http-routes.ts";
import type { VoiceCount } from "../../core/persona/voice-counts.ts";
import { isOnThisMachine } from "./is-on-this-machine.ts";

/** `GET /metrics`, in the text format of Prometheus. Model names are for the machine itself only. */
export function mountMetrics({ app }: Pick<HttpRoutes, "app">, voice: () => readonly VoiceCount[]): void {
  app.get("/metrics", (context) => {
    if (!isOnThisMachine(context.env.incoming)) return context.text("only for programs on this machine\n", 403);
    return context.text(describeVoice(voice()), 200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
  });
}

function describeVoice(counts: readonly VoiceCount[]): string {
  const ofModels = (pick: (count: VoiceCount) => number) =>
    counts.map((count) => ({ labels: { model: count.model }, value: pick(count) }));
  const byKind = counts.flatMap(({ byKind: kinds, model }) =>
    [...kinds].map(([kind, value]) => ({ labels: { model, kind }, value })),
  );
  return [
    ...describe(
      "kurisu_drafts_total",
      "Replies that a model wrote.",
      ofModels(({ drafts }) => drafts),
    ),
    ...describe(
      "kurisu_drafts_broken_total",
      "Replies that broke character.",
      ofModels(({ broken }) => broken),
    ),
    ...describe("kurisu_breaks_total", "Breaks of character by kind; a reply can have several.", byKind),
    ...describe(
      "kurisu_drafts_stripped_total",
      "Replies with sentences taken out.",
      ofModels((one) => one.stripped),
    ),
    ...describe(
      "kurisu_drafts_rewritten_total",
      "Replies that were asked for again.",
      ofModels((one) => one.rewritten),
    ),
    ...describe(
      "kurisu_drafts_replaced_total",
      "Replies given up for the persona's words.",
      ofModels((one) => one.replaced),
    ),
    "",
  ].join("\n");
}

type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

function describe(name: string, help: string, samples: readonly Sample[]): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    ...samples.map(({ labels, value }) => `${name}{${Object.entries(labels).map(showLabel).join(",")}} ${value}`),
  ];
}

function showLabel([name, value]: readonly [string, string]): string {
  return `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

import type { HttpRoutes } from "../../channels/http-routes.ts";
import type { VoiceCount } from "../../core/persona/voice-counts.ts";
import { describeMetric, mountSection } from "./metrics-page.ts";

/** The lines of `GET /metrics` about replies. */
export function mountMetrics(http: Pick<HttpRoutes, "app">, voice: () => readonly VoiceCount[]): void {
  mountSection(http, async () => describeVoice(voice()));
}

function describeVoice(counts: readonly VoiceCount[]): readonly string[] {
  const ofModels = (pick: (count: VoiceCount) => number) =>
    counts.map((count) => ({ labels: { model: count.model }, value: pick(count) }));
  const byKind = counts.flatMap(({ byKind: kinds, model }) =>
    [...kinds].map(([kind, value]) => ({ labels: { model, kind }, value })),
  );
  return [
    ...describeMetric(
      "kurisu_drafts_total",
      "Replies that a model wrote.",
      ofModels(({ drafts }) => drafts),
    ),
    ...describeMetric(
      "kurisu_drafts_broken_total",
      "Replies that broke character.",
      ofModels(({ broken }) => broken),
    ),
    ...describeMetric("kurisu_breaks_total", "Breaks of character by kind; a reply can have several.", byKind),
    ...describeMetric(
      "kurisu_drafts_stripped_total",
      "Replies with sentences taken out.",
      ofModels((one) => one.stripped),
    ),
    ...describeMetric(
      "kurisu_drafts_rewritten_total",
      "Replies that were asked for again.",
      ofModels((one) => one.rewritten),
    ),
    ...describeMetric(
      "kurisu_drafts_replaced_total",
      "Replies given up for the persona's words.",
      ofModels((one) => one.replaced),
    ),
  ];
}

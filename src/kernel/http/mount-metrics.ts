import type { HttpRoutes } from "../../channels/http-routes.ts";
import type { VoiceCount } from "../../core/persona/voice-counts.ts";
import { describeCounter, mountSection, type Family } from "./metrics-page.ts";

/** The metrics of `GET /metrics` about replies. */
export function mountMetrics(http: Pick<HttpRoutes, "app">, voice: () => readonly VoiceCount[]): void {
  mountSection(http, async () => describeVoice(voice()));
}

function describeVoice(counts: readonly VoiceCount[]): readonly Family[] {
  const perModel = (name: string, help: string, pick: (count: VoiceCount) => number): Family => {
    const samples = counts.map((count) => ({ labels: { model: count.model }, value: pick(count) }));
    return describeCounter(name, help, samples);
  };
  const byKind = counts.flatMap(({ byKind: kinds, model }) =>
    [...kinds].map(([kind, value]) => ({ labels: { model, kind }, value })),
  );
  return [
    perModel("kurisu_drafts_total", "Replies that a model wrote.", ({ drafts }) => drafts),
    perModel("kurisu_drafts_broken_total", "Replies that broke character.", ({ broken }) => broken),
    describeCounter("kurisu_breaks_total", "Breaks of character by kind; a reply can have several.", byKind),
    perModel("kurisu_drafts_stripped_total", "Replies with sentences taken out.", ({ stripped }) => stripped),
    perModel("kurisu_drafts_rewritten_total", "Replies that were asked for again.", ({ rewritten }) => rewritten),
    perModel("kurisu_drafts_replaced_total", "Replies given up for the persona's words.", ({ replaced }) => replaced),
  ];
}

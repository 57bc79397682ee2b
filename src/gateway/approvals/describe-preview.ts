import { z } from "zod";
import type { Language } from "../../core/conversation.ts";
import { makeVisible, showExcerpt } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { tellReason } from "../../core/words/tell-reason.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { CallPreview, PreviewReport } from "../../tools/previewer.ts";
import type { ToolResult } from "../../tools/types.ts";
import type { TreeChange } from "../../workspace/preview/compare-trees.ts";
import type { SkippedEntry } from "../../workspace/preview/walk-tree.ts";
import { describeChanges, nameVisibly } from "./describe-changes.ts";

type Texts = Words["preview"];

/** What a shell answers, as src/tools/builtin/shell.ts writes it. */
const exitSchema = z.object({
  exit_code: z.number(),
  stdout: z.string(),
  stderr: z.string(),
  timed_out: z.boolean(),
});

const mostNames = 5;

/** What was seen on the copy, for the chat; stopped previews have no words here. */
export function describePreview(
  report: Exclude<PreviewReport, { kind: "stopped" }>,
  code: string,
  language: Language,
): string {
  const texts = wordsFor(language).preview;
  if (report.kind === "refused") return describeRefusal(report.refusal, texts);
  const { comparison, result, skipped } = report;
  const lines = [
    texts.title(code),
    ...result.flatMap((call, index) => describeCall(call, result.length > 1 ? `${index + 1}. ` : "", language)),
    ...(comparison.kind === "compared" ? describeComparison(comparison, language) : [texts.notCompared]),
    ...(skipped.length > 0 ? [texts.skipped(nameEntries(skipped))] : []),
  ];
  return lines.join("\n");
}

function describeComparison(
  { changes, unseen }: { readonly changes: readonly TreeChange[]; readonly unseen: readonly SkippedEntry[] },
  language: Language,
): string[] {
  const texts = wordsFor(language).preview;
  const seen = changes.length > 0 ? describeChanges(changes, language) : unseen.length > 0 ? [] : [texts.unchanged];
  return [...seen, ...(unseen.length > 0 ? [texts.unseen(nameEntries(unseen))] : [])];
}

function nameEntries(entries: readonly SkippedEntry[]): { readonly count: number; readonly calls: string } {
  const names = entries.slice(0, mostNames).map(({ path }) => nameVisibly(path));
  return { count: entries.length, calls: [...names, ...(entries.length > mostNames ? ["…"] : [])].join(", ") };
}

function describeRefusal(refusal: Extract<PreviewReport, { kind: "refused" }>["refusal"], texts: Texts): string {
  if (refusal.kind === "no-space") return texts.noSpace;
  const { what, limit } = refusal.excess;
  switch (what) {
    case "entries":
      return texts.tooManyEntries({ limit });
    case "bytes":
      return texts.tooManyBytes({ limit: Math.floor(limit / 1024 / 1024) });
    case "depth":
      return texts.tooDeep({ limit });
  }
}

function describeCall(call: CallPreview, number: string, language: Language): string[] {
  const texts = wordsFor(language).preview;
  const name = `${number}\`${makeVisible(call.tool).replaceAll("`", "'")}\``;
  switch (call.kind) {
    case "unsupported":
      return [`${name} ${texts.callUnsupported}`];
    case "refused":
      return [`${name} ${texts.callRefused}`];
    case "ran": {
      const [first = "", ...rest] = describeResult(call.result, call.timingMs, language);
      return [`${name} ${first}`, ...rest];
    }
  }
}

function describeResult(result: ToolResult, timingMs: number, language: Language): string[] {
  const texts = wordsFor(language).preview;
  if (!result.ok) return [texts.failed, showExcerpt(tellReason(result.error, language), language)];
  const exit = exitSchema.safeParse(result.output);
  if (!exit.success) return [texts.worked];
  const { exit_code: number, stdout, stderr, timed_out: late } = exit.data;
  const end = texts.exit({ number, seconds: (timingMs / 1_000).toFixed(1) });
  const streams = [stdout.trimEnd(), stderr.trimEnd() === "" ? "" : `stderr:\n${stderr.trimEnd()}`];
  const shown = streams.filter((text) => text !== "");
  return [
    [end, ...(late ? [texts.timedOut] : []), ...(shown.length === 0 ? [texts.noOutput] : [])].join(" · "),
    ...shown.map((text) => showExcerpt(text, language)),
  ];
}

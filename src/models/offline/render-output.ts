import { createNamer } from "../../core/name-with-tag.ts";
import { addressSpeaker } from "./address-speaker.ts";
import { z } from "zod";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { dropFullStop } from "../../core/drop-full-stop.ts";
import type { Speaker } from "./create-speaker.ts";
import { readArgument } from "./read-conversation.ts";
import type { ToolReport } from "./read-conversation.ts";

/** Limits for a chat without minutes of scrolling: characters of a block, lines of a list. */
const maxOutputLength = 3_000;
const maxPageLength = 1_200;
/** As long as a memory may be: the receipt shows all that is kept. */
const maxKeptLength = 500;
const maxLines = 20;
/** Messages of a group that are shown to who missed them. */
const newestMissed = 5;

type Render<Output> = (output: Output, report: ToolReport, say: Speaker, language: Language) => string;

/** The words for a tool's result, when it is as the tool gives it. */
export function renderOutput(
  report: ToolReport,
  output: unknown,
  say: Speaker,
  language: Language,
): string | undefined {
  const cut = shortened.safeParse(output);
  if (cut.success) return renderCut(cut.data.start, report, say);
  if (report.tool === "shell") return renderShell(report, output, say);
  return renderers[report.tool]?.(output, report, say, language);
}

const reminderFields = { text: z.string(), when: z.string(), left: z.string(), every: z.string().optional() };

function joinRepetition(when: string, every: string | undefined, language: Language): string {
  return every === undefined ? when : `${when}${wordsFor(language).times.repeats(every)}`;
}

/** Reads the result first: another tool of the same name may answer something else. */
function withOutput<Output>(schema: z.ZodType<Output>, render: Render<Output>) {
  return (output: unknown, report: ToolReport, say: Speaker, language: Language): string | undefined => {
    const parsed = schema.safeParse(output);
    return parsed.success ? render(parsed.data, report, say, language) : undefined;
  };
}

const renderers: Readonly<
  Record<string, (output: unknown, report: ToolReport, say: Speaker, language: Language) => string | undefined>
> = {
  file_read: withOutput(
    z.union([
      z.object({ content: z.string(), total_lines: z.number(), has_more: z.boolean() }),
      z.object({ image: z.string() }),
    ]),
    (output, report, say) => {
      const path = readArgument(report, "path");
      if ("image" in output) return say("picture", { path });
      const { content, has_more: hasMore, total_lines: lines } = output;
      if (content.trim() === "") return say("fileEmpty", { path });
      const more = hasMore ? [say("fileHasMore", { path, lines })] : [];
      return [say("fileRead", { path, lines }), ...fence(content, false, say), ...more].join("\n");
    },
  ),
  file_write: withOutput(z.object({ path: z.string().optional() }), ({ path }, report, say) => {
    const content = readArgument(report, "content");
    const lines = content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
    const values = { path: path ?? readArgument(report, "path"), lines };
    if (content === "") return say("fileEmptied", values);
    return say(report.arguments.mode === "append" ? "fileAppended" : "fileWritten", values);
  }),
  file_edit: withOutput(z.object({ replacements: z.number() }), ({ replacements }, report, say) =>
    say("fileEdited", { path: readArgument(report, "path"), count: replacements }),
  ),
  file_delete: withOutput(z.object({ path: z.string(), undo: z.string() }), (output, _, say) =>
    say("fileDeleted", output),
  ),
  send_file: withOutput(z.object({ status: z.string().optional() }), ({ status }, report, say) =>
    say(status === "queued" ? "fileQueued" : "fileSent", { path: readArgument(report, "path") }),
  ),
  glob: withOutput(z.object({ paths: z.array(z.string()) }), ({ paths }, report, say) => {
    const pattern = readArgument(report, "pattern");
    const whole = pattern === "*";
    if (paths.length === 0) return whole ? say("listedNone") : say("foundNone", { pattern });
    const head = whole ? say("listed", { count: paths.length }) : say("found", { pattern, count: paths.length });
    return [head, ...list(paths, say)].join("\n");
  }),
  grep: withOutput(
    z.object({ matches: z.array(z.object({ path: z.string(), line: z.number(), text: z.string() })) }),
    ({ matches }, report, say) => {
      const pattern = readArgument(report, "pattern").replaceAll(/\\(?=[\\^$.*+?()[\]{}|])/g, "");
      if (matches.length === 0) return say("matchedNone", { pattern });
      const lines = matches.map(({ line, path, text }) => `${path}:${line}: ${text.trim().slice(0, 120)}`);
      return [say("matched", { pattern, count: matches.length }), ...list(lines, say)].join("\n");
    },
  ),
  web_search: withOutput(
    z.object({ results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })) }),
    ({ results }, report, say) => {
      const query = readArgument(report, "query");
      if (results.length === 0) return say("searchedNone", { query });
      const entries = results.map(
        ({ snippet, title, url }, index) => `${index + 1}. ${oneLine(title, 100)}\n${oneLine(snippet, 160)}\n${url}`,
      );
      return [say("searched", { query, count: results.length }), ...block(entries.join("\n"))].join("\n");
    },
  ),
  fetch: withOutput(
    z.object({ url: z.string(), status: z.number(), content: z.string(), truncated: z.boolean().default(false) }),
    ({ content, status, truncated, url }, _, say) => {
      if (status >= 400) return say("pageBroken", { url, status });
      if (content.trim() === "") return say("pageEmpty", { url });
      const isCut = truncated || content.length > maxPageLength;
      return [say("page", { url }), ...block(content.slice(0, maxPageLength)), ...(isCut ? [say("pageCut")] : [])].join(
        "\n",
      );
    },
  ),
  screenshot: withOutput(z.object({ url: z.string() }), ({ url }, _, say) => say("screenshot", { url })),
  time: withOutput(
    z
      .object({
        iso: z.string(),
        local: z.string(),
        weekday: z.string().default(""),
        zone: z.string().default(""),
        lunar: z.string().optional(),
      })
      .partial({ iso: true }),
    ({ local, lunar, weekday, zone }, { arguments: asked }, say) => {
      const day = weekday === "" || local.includes(weekday) ? "" : weekday;
      const isEnglish = /^[A-Z]/.test(day);
      const when = isEnglish ? `${day}, ${local.replace(" at ", ", ")}` : `${local} ${day}`.trim();
      const moon = lunar === undefined ? "" : ` · ${lunar}`;
      const isNow = asked.at === undefined && asked.add === undefined;
      return say(isNow ? "time" : "timeThen", { local: `${when}${moon}`, zone });
    },
  ),
  remind: withOutput(
    z.object({ ...reminderFields, note: z.string().optional() }),
    ({ every, left, note, text, when }, _, say, language) => {
      const set = say("reminderSet", { text, left, when: joinRepetition(when, every, language) });
      return note === undefined ? set : `${set}\n${note}`;
    },
  ),
  cancel_reminder: withOutput(z.object({ text: z.string() }), ({ text }, _, say) => say("reminderCancelled", { text })),
  list_reminders: withOutput(
    z.object({ reminders: z.array(z.object(reminderFields)) }),
    ({ reminders }, _, say, language) => {
      if (reminders.length === 0) return say("remindersNone");
      const { item } = wordsFor(language).times;
      const lines = reminders.map(({ every, left, text, when }, index) =>
        item({ number: index + 1, when: joinRepetition(when, every, language), left, text: oneLine(text, 160) }),
      );
      return [say("reminderList", { count: reminders.length }), ...list(lines, say)].join("\n");
    },
  ),
  list_missed: withOutput(
    z.object({
      by: z.array(z.object({ from: z.string(), count: z.number() })),
      messages: z.array(z.object({ from: z.string(), text: z.string() })),
      onlySaidToYou: z.string().optional(),
      toHearAll: z.string().optional(),
    }),
    ({ by, messages, onlySaidToYou, toHearAll }, _, say) => {
      const people = by.filter(({ from }) => from !== "you");
      const shown = createNamer();
      const newest = messages.filter(({ from }) => from !== "you").slice(-newestMissed);
      const count = people.reduce((all, one) => all + one.count, 0);
      const names = people.slice(0, maxLines).map((one) => `${oneLine(shown(one.from), 40)} ×${one.count}`);
      return [
        ...(count === 0 ? [say("missedNone")] : [say("missedBy", { count, people: names.join(", ") })]),
        ...(newest.length === 0
          ? []
          : [
              say("missedNewest"),
              ...block(newest.map(({ from, text }) => `${oneLine(shown(from), 40)}: ${oneLine(text, 60)}`).join("\n")),
            ]),
        ...(onlySaidToYou === undefined ? [] : [say("missedOnlyToMe")]),
        ...(toHearAll === undefined ? [] : [say("missedHearAll")]),
      ].join("\n");
    },
  ),
  remember: withOutput(
    z.object({ content: z.string().optional(), superseded: z.unknown() }),
    ({ content, superseded }, report, say) => {
      const isChange = Array.isArray(superseded) ? superseded.length > 0 : superseded !== undefined;
      const text = dropFullStop(oneLine(content ?? readArgument(report, "content"), maxKeptLength));
      return say(isChange ? "memoryChanged" : "memoryKept", { text });
    },
  ),
  recall_memory: renderMemories,
  list_memories: renderMemories,
  forget: withOutput(
    z.object({
      receipt: z.union([
        z.object({
          memories: z.number(),
          stay: z.array(z.object({ id: z.number(), content: z.string() })).default([]),
        }),
        z.object({ begun: z.string() }),
      ]),
    }),
    ({ receipt }, _, say, language) => {
      if ("begun" in receipt) return receipt.begun;
      const { memories, stay } = receipt;
      const lines = stay.map(({ content, id }) => `#${id} ${oneLine(content, maxKeptLength)}`);
      const forgotten = say("memoryForgotten", { count: memories });
      return [forgotten, ...(lines.length === 0 ? [] : [wordsFor(language).stillRemembered, ...list(lines, say)])].join(
        "\n",
      );
    },
  ),
  load_messages: renderMessages,
  search_person: renderMessages,
  search_semantic: renderMessages,
  list_topics: withOutput(
    z.object({ topics: z.array(z.object({ name: z.string(), count: z.number() })) }),
    ({ topics }, _, say) => {
      if (topics.length === 0) return say("logNothing");
      return [
        say("logTopics"),
        ...list(
          topics.map(({ count, name }) => `${oneLine(name, 40)} ×${count}`),
          say,
        ),
      ].join("\n");
    },
  ),
  get_chatlog_stats: withOutput(
    z.object({ total: z.number(), from: z.string().nullable() }),
    ({ from, total }, _, say) =>
      from === null ? say("logNothing") : say("logStats", { count: total, since: from.slice(0, 10) }),
  ),
  todo: withOutput(
    z.object({ list: z.array(z.object({ text: z.string(), status: z.string() })) }),
    ({ list: items }, _, say) => {
      if (items.length === 0) return say("todoEmpty");
      const open = items.filter(({ status }) => status !== "done").length;
      const lines = items.map(({ status, text }, index) => `${index + 1}. ${status === "done" ? "✓ " : ""}${text}`);
      return [say("todoList", { count: items.length, open }), ...list(lines, say)].join("\n");
    },
  ),
};

function renderMemories(output: unknown, report: ToolReport, say: Speaker, language: Language): string | undefined {
  return withOutput(
    z.object({
      memories: z.array(
        z.object({ id: z.number(), content: z.string(), since: z.string(), of: z.string().optional() }),
      ),
    }),
    ({ memories }) => {
      if (memories.length === 0) return say(report.tool === "list_memories" ? "memoriesNone" : "memoryUnknown");
      const shown = createNamer();
      const lines = memories.map(
        ({ content, id, of, since }) =>
          `#${id} ${oneLine(sayBack(of === undefined ? of : shown(of), content), 300)} (${since.slice(0, 10)})`,
      );
      return [say("memoryList", { count: memories.length }), ...list(lines, say)].join("\n");
    },
  )(output, report, say, language);
}

const sayBack = (of: string | undefined, content: string): string =>
  of === undefined ? addressSpeaker(content) : `${of}: ${content}`;

/** The newest first. */
function renderMessages(output: unknown, report: ToolReport, say: Speaker, language: Language): string | undefined {
  return withOutput(
    z.object({
      messages: z.array(
        z.object({ at: z.string(), from: z.string(), text: z.string(), own: z.boolean().default(false) }),
      ),
    }),
    ({ messages }) => {
      if (messages.length === 0) return say("logNothing");
      const shown = createNamer();
      const lines = messages
        .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
        .map(({ at, from, own, text }) => {
          const name = from === "you" ? say("logHer") : own ? say("logOwn") : oneLine(shown(from), 40);
          return `${at.slice(0, 16).replace("T", " ")} ${name}: ${oneLine(text.replaceAll(/`{3,}/g, " "), 200)}`;
        });
      return list(lines, say).join("\n");
    },
  )(output, report, say, language);
}

const shellOutput = z.object({
  exit_code: z.number().nullable(),
  stdout: z.string().default(""),
  stderr: z.string().default(""),
  timed_out: z.boolean().default(false),
  truncated: z.boolean().default(false),
});

export function renderShell(report: ToolReport, output: unknown, say: Speaker): string | undefined {
  const parsed = shellOutput.safeParse(output);
  if (!parsed.success) return undefined;
  const { exit_code: exitCode, stderr, stdout, timed_out: timedOut, truncated } = parsed.data;
  const command = oneLine(readArgument(report, "command").replaceAll("`", "'"), 80);
  const failed = exitCode !== 0 && exitCode !== null;
  if (failed && /^fatal: not a git repository/m.test(stderr)) return say("noRepository");
  const printed = [stdout, failed || stdout === "" ? stderr : ""].filter((text) => text.trim() !== "").join("\n");
  const words = timedOut
    ? say("shellTimedOut", { command })
    : failed
      ? say("shellFailed", { command, exitCode })
      : say(printed === "" ? "shellSilent" : "shellDone", { command });
  return [words, ...fence(printed, truncated, say)].join("\n");
}

/** A result that was too long for the model: the longest text in it is what was printed or read. */
const shortened = z.object({ start: z.string() });

function renderCut(start: string, report: ToolReport, say: Speaker): string {
  const head: Readonly<Record<string, () => string>> = {
    shell: () => say("shellDone", { command: oneLine(readArgument(report, "command"), 80) }),
    fetch: () => say("page", { url: readArgument(report, "url") }),
  };
  return [(head[report.tool] ?? (() => say("toolDone", { tool: report.tool })))(), ...fence(start, true, say)].join(
    "\n",
  );
}

function list(lines: readonly string[], say: Speaker): readonly string[] {
  const left = lines.length - maxLines;
  return [...block(lines.slice(0, maxLines).join("\n")), ...(left > 0 ? [say("andMore", { count: left })] : [])];
}

/** A code block, and a word when it is not all. */
export function fence(text: string, truncated: boolean, say: Speaker): readonly string[] {
  if (text.trim() === "") return [];
  return [
    ...block(text.slice(0, maxOutputLength)),
    ...(truncated || text.length > maxOutputLength ? [say("shortened")] : []),
  ];
}

/** A code block whose fence is longer than any inside it. */
function block(text: string): readonly string[] {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [ticks]) => Math.max(most, ticks.length), 2);
  const mark = "`".repeat(longest + 1);
  return [mark, text.trimEnd(), mark];
}

function oneLine(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replaceAll(/\s{1,40}/g, " ")
    .trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import type { Language } from "../../../src/core/conversation.ts";
import { composeReply } from "../../../src/models/offline/compose-reply.ts";
import { offlinePhrasesSchema } from "../../../src/models/offline/phrases.ts";
import type { OfflinePhrases } from "../../../src/models/offline/phrases.ts";

interface Row {
  readonly language: Language;
  readonly text: string;
  readonly expected: string;
}

const tools =
  "shell file_read file_write file_edit file_delete glob grep send_file web_search fetch screenshot time todo remind list_reminders cancel_reminder list_missed remember recall_memory list_memories forget search_by_keywords load_messages search_person search_semantic list_topics get_chatlog_stats".split(
    " ",
  );

/** Phrases that say their own key and values, so that what is said can be told apart. */
const marked = markPhrases();

function readRows(name: string): readonly Row[] {
  const lines = readFileSync(new URL(name, import.meta.url), "utf8").split("\n");
  return lines.flatMap((line) => {
    const [language, text, expected = ""] = line.split("\t");
    return text === undefined
      ? []
      : [{ language: language as Language, text: text.replaceAll(String.raw`\n`, "\n"), expected }];
  });
}

function markPhrases(): OfflinePhrases {
  const parsed = offlinePhrasesSchema.parse({});
  const mark = (language: Language) =>
    Object.fromEntries(
      Object.entries(parsed[language]).map(([key, variants]) => [
        key,
        [`<${key}> ${variants[0]?.match(/\{\w+\}/g)?.join(" ") ?? ""}`],
      ]),
    );
  return offlinePhrasesSchema.parse({ zh: mark("zh"), en: mark("en"), ja: mark("ja") });
}

function answer({ language, text }: Pick<Row, "language" | "text">) {
  return composeReply({ messages: [new HumanMessage(text)], tools, language, phrases: marked });
}

function fits(row: Row): boolean {
  const { calls, text } = answer(row);
  return row.expected.split(" || ").some((expected) => {
    const [kind = "", ...rest] = expected.split(" ");
    const wanted = rest.join(" ").trim();
    if (kind === "say") return calls.length === 0 && text.includes(`<${wanted}>`);
    if (kind === "answer") return calls.length === 0 && text.includes(wanted);
    const [call] = calls;
    const given = call?.arguments as Record<string, unknown> | undefined;
    return (
      call?.name === kind &&
      Object.entries(JSON.parse(wanted) as Record<string, unknown>).every(([key, value]) =>
        typeof value === "string"
          ? JSON.stringify(given?.[key] ?? "").replace(/(?:\\n)*"$/, '"') === JSON.stringify(value)
          : given?.[key] === value,
      )
    );
  });
}

const byDigest = (row: Row): string => createHash("sha256").update(`2026-11-22 ${row.text}`).digest("hex");
const rows = readRows("requests.tsv").toSorted((one, other) => (byDigest(one) < byDigest(other) ? -1 : 1));
const parts = { unseen: rows.slice(0, 100), "worked with": rows.slice(100) };

test.each([
  ["worked with", 0.97],
  ["unseen", 0.9],
] as const)("natural requests, the part %s, are understood", (part, least) => {
  const missed = parts[part].filter((row) => !fits(row));
  if (process.env.SHOW === part)
    for (const row of missed) console.log(row.text, "→", row.expected, JSON.stringify(answer(row)));
  if (process.env.SHOW !== undefined) console.log(part, parts[part].length - missed.length, "of", parts[part].length);
  expect(1 - missed.length / parts[part].length).toBeGreaterThanOrEqual(least);
});

test.each(readRows("memory.tsv"))("$text is for her memory or the chat log", (row) => {
  expect({ row, fits: fits(row), read: answer(row) }).toMatchObject({ fits: true });
});

test.each(readRows("must-not-act.tsv"))("$text changes nothing", (row) => {
  const acting = new Set([
    "shell",
    "file_write",
    "file_edit",
    "file_delete",
    "send_file",
    "todo",
    "remind",
    "cancel_reminder",
    "remember",
    "forget",
  ]);
  expect(answer(row).calls.filter(({ name }) => acting.has(name))).toEqual([]);
});

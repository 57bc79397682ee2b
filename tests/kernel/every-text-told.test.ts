/* Every text that the gateway can send: the persona says the situation before it, or a list names why it stands alone. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { features } from "../../src/assembly/features.ts";
import type { Language } from "../../src/core/conversation.ts";
import { loadPersona } from "../../src/core/persona/load-persona.ts";
import { wordsFor } from "../../src/core/words/words.ts";
import { createPersonaWrapper } from "../../src/kernel/tools/persona-wrapper.ts";
import { plainTexts, toldTexts } from "../support/told-texts.ts";

const sources = join(import.meta.dirname, "../../src");

function listPlaces(part: object, before = ""): readonly string[] {
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? listPlaces(value, `${before}${key}.`)
      : [`${before}${key}`],
  );
}

/** The fixed texts of features, by the feature's name. */
const ofFeatures = (language: Language): Readonly<Record<string, object>> =>
  Object.fromEntries(features.flatMap(({ name, words }) => (words ? [[name, words[language]]] : [])));

const findReason = (place: string): string | undefined =>
  Object.keys(plainTexts)
    .filter((start) => place.startsWith(start))
    .toSorted((one, other) => other.length - one.length)[0];

it.each(["zh", "en", "ja"] as const)(
  "each fixed text in %s is told in character or listed with a reason",
  (language) => {
    const places = listPlaces({ ...wordsFor(language), ...ofFeatures(language) });
    const undecided = places.filter((place) => toldTexts[place] === undefined && findReason(place) === undefined);
    expect(undecided).toEqual([]);
    const used = new Set(places.filter((place) => toldTexts[place] === undefined).map(findReason));
    expect(Object.keys(plainTexts).filter((start) => !used.has(start))).toEqual([]);
    expect(Object.keys(toldTexts).filter((place) => !places.includes(place))).toEqual([]);
  },
);

it.each(Object.entries(toldTexts))("the code tells %s in its situation", (place, { situation, file, by }) => {
  const source = readFileSync(join(sources, file), "utf8");
  const word = by ?? place.split(".").at(-1) ?? "";
  const told = source
    .split(";")
    .filter(
      (statement) =>
        /\b(?:tellAs|tell|say|answerTo|as =)/.test(statement) &&
        (statement.includes(`"${situation}"`) || (situation === "spent" && statement.includes("tellSpent("))),
    );
  expect(told.filter((statement) => statement.split(/\W+/).includes(word))).not.toEqual([]);
});

/** Files that queue messages themselves, and what speaks in them. */
const senders: Readonly<Record<string, string>> = {
  "kernel/questions/decide-question.ts": "voice",
  "kernel/questions/parked-turns.ts": "voice",
  "features/preview/preview-question.ts": "the report of a preview",
  "kernel/questions/question-cards.ts": "voice, by renderQuestion",
  "features/export/export-conversation.ts": "a file",
  "features/erase/erasures.ts": "a receipt of what was erased",
  "kernel/inbox/dispatch-chat.ts": "messages that were queued before, for a chat that has moved",
  "features/mcp/elicitations/elicitations.ts": "a server's question in its own words",
  "kernel/outbox/file-delivery.ts": "a file",
  "kernel/outbox/outbox.ts": "the queue itself",
  "kernel/outbox/system-replies.ts": "voice",
  "kernel/pause/kill-switch.ts": "a receipt of the kill switch",
  "features/reminders/begin-task.ts": "a report of a task that is skipped",
  "features/reminders/reminder-clock.ts": "voice",
  "features/reminders/tell-reminders.ts": "voice",
  "kernel/turns/park-with-question.ts": "voice, by renderQuestion",
  "kernel/turns/put-aside.ts": "voice",
  "kernel/turns/settle-turn.ts": "voice",
  "kernel/turns/turn-at-work.ts": "what she said beside a call, of the model",
  "kernel/turns/wait-for-model.ts": "voice",
};

it("each file that queues messages is known, and where the persona is to speak, it does", () => {
  const found = globSync("**/*.ts", { cwd: sources }).filter((file) =>
    /\bqueueMessage\(/.test(readFileSync(join(sources, file), "utf8")),
  );
  expect(found.toSorted()).toEqual(Object.keys(senders).toSorted());
  const mute = found.filter(
    (file) => senders[file] === "voice" && !/\bvoice\(/.test(readFileSync(join(sources, file), "utf8")),
  );
  expect(mute).toEqual([]);
});

it("the persona's words come before the text, which stays as it is, and are not the same twice", () => {
  const loaded = loadPersona(join(import.meta.dirname, "../../config/personas/kurisu"), {});
  if (loaded.kind === "faulty") throw new Error("the shipped persona must load");
  const text = "  /tmp/a b\n`$(x)` 100%\n";
  for (const situation of new Set(Object.values(toldTexts).map((one) => one.situation)))
    for (const language of ["zh", "en", "ja"] as const) {
      const voice = createPersonaWrapper(loaded.persona);
      const said = Array.from({ length: 6 }, () => voice.tell({ chat: "c", language }, situation, text));
      const own = loaded.persona.phrases[language]?.[situation] ?? [];
      for (const [at, one] of said.entries()) {
        expect(own.map((words) => `${words}\n${text}`)).toContain(one);
        expect(one).not.toBe(said[at + 1]);
      }
    }
});

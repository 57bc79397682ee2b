/* Escapes, C1 controls and signs of direction that a model says or a call carries never reach a terminal. */
import { describe, expect, test } from "vitest";
import { terminalIsThere } from "../support/announce-terminal.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { readOnce } from "../support/kurisu-process/run-once.ts";
import {
  callTools,
  lastWords,
  startScriptedModel,
  type ModelScript,
} from "../support/kurisu-process/scripted-model.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { enter, openTerminal } from "../support/kurisu-process/terminal.ts";

/** Sets a title, clears the screen in two ways, rings, and turns the reading order around in every way there is. */
const directions = "\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069";
const evil = `one\u001B]0;owned\u0007two\u001B[2J\u009B2Jthree\u0008four${directions}five\rsix`;
const tame = "one]0;ownedtwo[2J2Jthreefourfivesix";
const steering = /[^\P{Cc}\n\t\r]|\p{Bidi_Control}/u;

const script: ModelScript = (request) => {
  const said = lastWords(request);
  if (said === "say it") return { content: evil };
  if (said === "write it" && request.messages.at(-1)?.role !== "tool")
    return callTools({ name: "file_write", arguments: { path: "notes.txt", content: evil } });
  return undefined;
};

test("a piped chat, one answer and its JSON lines hold no sign that steers a terminal", async () => {
  const folder = createKurisuFolder();
  const { environment } = await startScriptedModel(script);
  const piped = spawnKurisu(["chat"], { folder, environment, input: "say it\nwrite it\n" });
  expect((await piped.ended()).code).toBe(0);
  expect(piped.stdout()).toContain(tame);
  expect(piped.stdout()).toContain("notes.txt");
  expect(`${piped.stdout()}${piped.stderr()}`).not.toMatch(steering);

  const one = spawnKurisu(["chat", "say it"], { folder, environment });
  expect((await one.ended()).code).toBe(0);
  expect(one.stdout()).toContain(tame);
  expect(`${one.stdout()}${one.stderr()}`).not.toMatch(steering);

  const json = spawnKurisu(["chat", "--once", "say it", "--json"], { folder, environment });
  const { code } = await json.ended();
  const { lines } = readOnce(code, json.stdout(), json.stderr());
  expect(lines.at(-1)).toMatchObject({ type: "reply", text: expect.stringContaining("owned") as string });
  expect(json.stderr()).not.toMatch(steering);
  expect(json.stdout()).toContain("\\u202e");
  expect(json.stdout()).not.toMatch(steering);
});

describe.runIf(terminalIsThere())("a terminal", () => {
  test("shows what a model says without the signs that would steer it", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel(script);
    const terminal = openTerminal(["chat"], { folder, environment });
    await expect.poll(() => terminal.seen()).toContain("你> ");
    terminal.type(`say it${enter}`);
    await expect.poll(() => terminal.seen()).toContain(tame);
    terminal.type(`write it${enter}`);
    await expect.poll(() => terminal.seen()).toContain("notes.txt");
    terminal.type(`/exit${enter}`);
    await terminal.ended();
    for (const sign of ["\u001B]0;owned", "\u0007", "\u009B"]) expect(terminal.raw()).not.toContain(sign);
    expect(terminal.raw()).not.toMatch(/\p{Bidi_Control}/u);
  });
});

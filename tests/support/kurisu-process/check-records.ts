import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { KurisuFolder } from "./kurisu-folder.ts";
import { modelKey, type ScriptedModel } from "./scripted-model.ts";

const stackTrace = /\n\s+at .+:\d+:\d+|node:internal|\.ts:\d+/;

/** What must hold after every story: no stack trace in a chat, and no secret in a chat, a log, a request or a file. */
export function checkRecords(story: {
  readonly folder: KurisuFolder;
  /** Payloads of everything that was asked of the chat platform. */
  readonly sent: readonly Readonly<Record<string, unknown>>[];
  readonly model: ScriptedModel;
  readonly started: readonly { stdout(): string; stderr(): string }[];
  readonly secrets: readonly string[];
}): void {
  const { folder, sent, model, started } = story;
  const chat = sent.map((payload) => JSON.stringify(payload)).join("\n");
  const toldTexts = sent.map(({ text, message }) => JSON.stringify(text ?? message ?? "").replaceAll("\\n", "\n"));
  for (const text of toldTexts) expect(text).not.toMatch(stackTrace);
  const records = {
    chat,
    "model requests": JSON.stringify(model.requests),
    ...Object.fromEntries(started.map((one, index) => [`output of start ${index + 1}`, one.stdout() + one.stderr()])),
    ...Object.fromEntries(
      listFiles(folder.home).map((file) => [file, readFileSync(join(folder.home, file), "latin1")]),
    ),
  };
  for (const secret of [...story.secrets, modelKey]) {
    const leaks = Object.entries(records).filter(([, text]) => text.includes(secret));
    expect(
      leaks.map(([where]) => where),
      "a secret was written down",
    ).toEqual([]);
  }
}

/** Everything in the data folder but what commands wrote themselves. */
function listFiles(home: string): string[] {
  try {
    return readdirSync(home, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

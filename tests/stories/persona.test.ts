import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import type { ModelRequest } from "../support/kurisu-process/scripted-model.ts";

/** The system prompt, and the part that comes with the newest message. */
function readPrompt(request: ModelRequest | undefined) {
  const texts = (request?.messages ?? []).map(({ content }) => JSON.stringify(content));
  return { system: texts[0] ?? "", newest: texts.at(-1) ?? "" };
}

const card = {
  spec: "chara_card_v2",
  spec_version: "2.0",
  data: {
    name: "Mira",
    description: "{{char}} keeps a lighthouse.",
    first_mes: "You are late, {{user}}.",
    character_book: {
      entries: [{ keys: ["lamp"], content: "{{char}} saw the lamp break in the storm of May.{{// secret}}" }],
    },
  },
};

test("an imported card takes over with the next message: her prompt, her greeting, and her lorebook when its key is said", async () => {
  const story = await startTelegramStory({ script: () => ({ content: "Hm." }) });
  await story.start();
  story.say("what about the lamp");
  await story.hear("Hm.");
  expect(readPrompt(story.model.requests.at(-1)).newest).not.toContain("storm of May");

  const file = join(story.folder.config, "mira.json");
  writeFileSync(file, JSON.stringify(card));
  const kurisu = (...given: readonly string[]) =>
    execFileSync(process.execPath, ["src/main.ts", "persona", ...given], {
      cwd: join(import.meta.dirname, "../.."),
      env: { ...process.env, KURISU_CONFIG: story.folder.config, KURISU_HOME: story.folder.home },
      encoding: "utf8",
    });
  expect(kurisu("import", file)).toMatch(/Mira \(V2 card\) is now the persona mira/);
  expect(kurisu("use", "mira")).toMatch(/from the next message on/);

  await expect
    .poll(
      async () => {
        const before = story.model.requests.length;
        story.say("and the lamp?");
        await story.fake.waitFor(() => story.model.requests.length > before, "a request to the model");
        return readPrompt(story.model.requests.at(-1)).system;
      },
      { interval: 500 },
    )
    .toContain("Mira keeps a lighthouse.");
  const { system, newest } = readPrompt(story.model.requests.at(-1));
  expect(newest).toContain("Mira saw the lamp break in the storm of May.");
  expect(newest).not.toContain("secret");
  expect(system).not.toContain("storm of May");
  await story.quiet();
  story.say("/start");
  const welcome = await story.fake.waitForMessage(({ keyboard }) => keyboard.length > 0);
  expect(welcome.text).toMatch(/^You are late, you\./);
});

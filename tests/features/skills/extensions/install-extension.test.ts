import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { isOwnVariable } from "../../../../src/config/own-variables.ts";
import { loadSkill } from "../../../../src/features/skills/loader/load-skills.ts";
import { createSkillStore } from "../../../../src/features/skills/store/skill-store.ts";
import { createInstallExtensionTool } from "../../../../src/features/skills/tools/install-extension.ts";
import { HandClock } from "../../../support/hand-clock.ts";
import { sentencesFile } from "../../../support/match-skills.ts";
import { plainSkill } from "../../../support/skill-source.ts";
import { createTemporaryFolder } from "../../../support/temporary-folder.ts";

test("the question about a skill of the catalogue names the digest under which it is installed", async () => {
  const home = await createTemporaryFolder();
  const store = createSkillStore({
    isOwnVariable,
    home,
    taken: () => [],
    table: sentencesFile,
    load: (place, environment) => loadSkill(dirname(place), basename(place), environment),
    clock: new HandClock(),
  });
  const listed = { id: "weather", description: "", source: `https://a.example/b@${"a".repeat(40)}`, path: "" };
  const tool = createInstallExtensionTool({
    isOwnVariable,
    catalogue: {
      isSet: true,
      search: async () => ({ ok: true, found: [], leftOut: 0 }),
      find: async () => ({ ok: true, extension: { kind: "skill", skill: listed, from: "a" } }),
    },
    store: {
      ...store,
      examine: async () => store.examineFiles([{ path: "skill.yaml", bytes: Buffer.from(plainSkill) }]),
    },
    configFolder: home,
    withProxy: (use) => use(""),
  });
  const input = { kind: "skill", name: "weather", reason: "x" } as const;
  const asked = await tool.inspect?.(input, { language: "en" } as Parameters<NonNullable<typeof tool.inspect>>[1]);
  const shown = asked?.ok ? (asked.detail ?? "") : "";
  const context = { language: "en", person: { id: "x" }, shown, signal: new AbortController().signal };
  expect(await tool.run(input, context as Parameters<typeof tool.run>[1])).toMatchObject({ ok: true });
  const [installed] = store.verify();
  expect(installed?.kind === "intact" && installed.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(shown).toContain(`SHA-256: ${installed?.kind === "intact" ? installed.digest : ""}`);
});

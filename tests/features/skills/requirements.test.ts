import { expect, it } from "vitest";
import { listMissing, requirementsSchema } from "../../../src/features/skills/loader/requirements.ts";

const around = {
  platform: "linux" as NodeJS.Platform,
  variables: ["HAS_KEY"],
  path: `/nowhere:${process.execPath.replace(/\/[^/]+$/, "")}`,
  configuration: { sandbox: { enabled: true, runtime: "" }, owners: [], network: "off", search: {} },
  hasTool: (name: string) => name === "shell",
};

it.each([
  [{}, []],
  [{ platforms: ["linux", "macos"] }, []],
  [{ platforms: ["macos"] }, ["platform macos"]],
  [{ bins: ["node", "no-such-program"] }, ["program no-such-program"]],
  [{ env: ["HAS_KEY", "NO_KEY"] }, ["variable NO_KEY"]],
  [{ config: ["sandbox.enabled"] }, []],
  [
    { config: ["sandbox.runtime", "owners", "network", "search.tavilyApiKey", "constructor.name", "a.b"] },
    [
      "setting sandbox.runtime",
      "setting owners",
      "setting network",
      "setting search.tavilyApiKey",
      "setting constructor.name",
      "setting a.b",
    ],
  ],
  [{ tools: ["shell", "remember"] }, ["tool remember"]],
])("%j misses %j", (requires, missing) => {
  expect(listMissing(requirementsSchema.parse(requires), around)).toEqual(missing);
});

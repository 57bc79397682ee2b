import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One more of each: what somebody would write who follows a recipe of AGENTS.md to the letter. */

export interface Recipe {
  /** As AGENTS.md has it. */
  readonly name: string;
  /** Places of the repository that it touches; a folder of its own is one. */
  readonly most: number;
  readonly files: Readonly<Record<string, string>>;
  readonly rows: readonly { readonly path: string; readonly after: string; readonly row: string }[];
}

/** The code of a folder of examples/, as it reads in its own place of the house. */
function readExample(name: string, place: string): Readonly<Record<string, string>> {
  const folder = join(import.meta.dirname, "../../examples", name);
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  return Object.fromEntries(
    files.map((file) => [
      `${place}/${file}`,
      readFileSync(join(folder, file), "utf8").replaceAll('"../../src/', '"../../'),
    ]),
  );
}

export const recipes: readonly Recipe[] = [
  {
    name: "A tool",
    most: 2,
    files: {
      "src/kernel/tools/builtin/dummy.ts": `import { z } from "zod";
import { defineTool } from "../define-tool.ts";

export function createDummyTool() {
  return defineTool({
    name: "dummy",
    description: { zh: "多一个工具。", en: "One more tool." },
    input: z.strictObject({ word: z.string().describe("Any word.") }),
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "gateway",
    summarize: ({ word }) => word,
    run: ({ word }) => Promise.resolve({ ok: true as const, output: { word } }),
  });
}
`,
    },
    rows: [
      {
        path: "src/kernel/tools/table/kernel-tools.ts",
        after: `  think: async () => (await import("../builtin/think.ts")).createThinkTool(),\n`,
        row: `  dummy: async () => (await import("../builtin/dummy.ts")).createDummyTool(),\n`,
      },
    ],
  },
  {
    name: "A channel",
    most: 2,
    files: {
      "src/channels/dummy/dummy.ts": `import { secretVariable } from "../../core/variable-schemas.ts";
import { channelOptions, defineChannel } from "../define-channel.ts";

export const dummy = defineChannel({
  name: "dummy",
  platform: "dummy",
  options: channelOptions.prefault({}).describe("One more channel; on when DUMMY_TOKEN is set."),
  environment: { DUMMY_TOKEN: secretVariable.optional() },
  credentials: { variables: ["DUMMY_TOKEN"], hint: "any letters" },
  configure: (options, { DUMMY_TOKEN: token }) => (token === undefined ? undefined : { ...options, token }),
  async create(_settings, { clock }) {
    const { createDummyChannel } = await import("./dummy-channel.ts");
    return createDummyChannel(clock);
  },
  doctor: ({ token }) => Promise.resolve({ state: token === "" ? "broken" : "ok", detail: "it echoes" }),
});
`,
      "src/channels/dummy/dummy-channel.ts": `import type { Clock } from "../../core/clock.ts";
import { createHealthBoard } from "../channel-health.ts";
import type { Channel, Delivery } from "../types.ts";

const nobody: Delivery = { kind: "refused", reason: "nobody is there" };

export function createDummyChannel(clock: Clock): Channel {
  const health = createHealthBoard(clock);
  return {
    platform: "dummy",
    capabilities: {
      streaming: "none",
      buttons: false,
      edit: false,
      reactions: false,
      removal: false,
      textLimit: Infinity,
      fileLimit: 0,
      voice: false,
      displays: false,
    },
    start: () => Promise.resolve(health.report("ready", "it echoes")),
    stopReceiving: () => Promise.resolve(),
    stop: () => Promise.resolve(health.report("off", "stopped")),
    split: ({ text }) => [text],
    send: () => Promise.resolve(nobody),
    sendFile: () => Promise.resolve(nobody),
    health: health.read,
  };
}
`,
    },
    rows: [
      {
        path: "src/channels/definitions/channel-definitions.ts",
        after: `import type { ChannelDefinition, ChannelSettings } from "../define-channel.ts";\n`,
        row: `import { dummy } from "../dummy/dummy.ts";\n`,
      },
      {
        path: "src/channels/definitions/channel-definitions.ts",
        after: "export const channelDefinitions: readonly ChannelDefinition[] = [",
        row: "dummy, ",
      },
    ],
  },
  {
    name: "A model provider",
    most: 2,
    files: {
      "src/models/providers/dummy.ts": `import { secretVariable } from "../../core/variable-schemas.ts";
import { defineProvider } from "./model-provider.ts";

export const dummy = defineProvider({
  environment: { DUMMY_KEY: secretVariable.optional() },
  readCredentials: ({ DUMMY_KEY: apiKey }) => (apiKey === undefined ? undefined : { apiKey }),
  whyNot: (credentials) => (credentials ? undefined : "needs DUMMY_KEY."),
  async load(model, { apiKey = "none" }) {
    const { createChatCompletions } = await import("../wire/chat-completions.ts");
    return createChatCompletions({ model, apiKey, baseUrl: "https://dummy.example/v1" });
  },
});
`,
    },
    rows: [
      {
        path: "src/models/model-providers.ts",
        after: `import { anthropic } from "./providers/anthropic.ts";\n`,
        row: `import { dummy } from "./providers/dummy.ts";\n`,
      },
      { path: "src/models/model-providers.ts", after: "const providers = { ", row: "dummy, " },
    ],
  },
  {
    name: "A feature",
    most: 2,
    files: readExample("feature-dice", "src/features/dice"),
    rows: [
      {
        path: "src/assembly/features.ts",
        after: 'import { erase } from "../features/erase/erase.ts";\n',
        row: 'import { dice } from "../features/dice/dice.ts";\n',
      },
      {
        path: "src/assembly/features.ts",
        after: "export const features: readonly Feature[] = [",
        row: "dice, ",
      },
    ],
  },
  {
    name: "A skill",
    most: 1,
    files: {
      "config/skills/dummy/skill.yaml": `id: dummy
name: 多一个技能
version: 1.0.0
description: One more skill.
type: hybrid
context: Xyzzy is a magic word.
`,
      "config/skills/dummy/examples.txt": `# What people write when they need it.
what does xyzzy do
say xyzzy for me
cast xyzzy on the cave
xyzzy 是什么咒语
帮我念一遍 xyzzy
`,
    },
    rows: [],
  },
];

/** Features that are taken out by deleting their folders, the folders of their tests, and their lines of the list; and what goes with each. */
export const removable: Readonly<
  Record<string, { readonly command?: string; readonly tool?: string; readonly table?: string }>
> = {
  voice: { command: "voice" },
  preview: { table: "previews" },
  cards: { tool: "import_card" },
  export: { command: "export" },
  "contact-requests": { command: "requests" },
  worldlines: { command: "worldline", tool: "dmail" },
  "sub-agents": { tool: "task" },
  "account-links": { command: "link" },
};

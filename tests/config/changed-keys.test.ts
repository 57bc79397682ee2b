import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyChangedKeys, type ChangedKey } from "../../src/config/changed-keys.ts";
import { ConfigFolder } from "../support/config-folder.ts";

const changes: readonly ChangedKey[] = [
  { file: "tools", key: "limits.old", to: "limits.new", advice: "" },
  { file: "tools", key: "wait", to: "approval.timeout", advice: "" },
  { file: "tools", key: "gone.entirely", advice: "" },
  { file: "models", key: "other", advice: "" },
];

describe("applyChangedKeys", () => {
  it.each([
    ["moves a value to its present key", { limits: { old: 1, kept: 2 } }, { limits: { kept: 2, new: 1 } }, 1],
    ["moves a value into another section", { wait: "5m" }, { approval: { timeout: "5m" } }, 1],
    ["prefers a present key", { limits: { old: 1, new: 2 } }, { limits: { new: 2 } }, 1],
    ["drops a key without effect, and its empty section", { gone: { entirely: true }, x: 1 }, { x: 1 }, 1],
    ["leaves a present key that is no section to the schema", { wait: "5m", approval: 3 }, { approval: 3 }, 1],
    ["leaves other files' keys", { other: 1 }, { other: 1 }, 0],
    ["leaves a text", "text", "text", 0],
  ])("%s", (_, written, value, count) => {
    const result = applyChangedKeys("tools", written, changes);
    expect(result.value).toEqual(value);
    expect(result.found).toHaveLength(count);
  });
});

describe("a file of config/system with a key of an earlier version", () => {
  let folder: ConfigFolder;
  beforeEach(() => {
    folder = new ConfigFolder();
  });
  afterEach(() => folder.remove());

  it("a former key does not make a file faulty, and is named with its line", () => {
    folder.write("config/system/models.yaml", "rounds:\n  chat: 7\nwindow:\n  block: 20\n  messages: 300\n");
    const { agents, formerKeys } = folder.load();
    expect(agents).toMatchObject({ rounds: { chat: 7 }, window: { messages: 300 } });
    expect(formerKeys).toEqual([
      "config/system/models.yaml:4 window.block has no effect any more, so delete the line: window.tokens limits the conversation in a prompt",
    ]);
  });

  it("the API's keys of groups are left out and named", () => {
    const keys = ["admins: member", "groups: []", "mentionOnly: true", "answerAll: false", "observe: false"];
    folder.write("config/system/channels.yaml", `api:\n${keys.map((key) => `  ${key}\n`).join("")}`);
    expect(folder.load().formerKeys).toHaveLength(keys.length);
  });

  it("faults of present keys beside a former one are reported with their places", () => {
    folder.write("config/system/models.yaml", "window:\n  block: 20\n  message: 300\n");
    expect(folder.faults()).toEqual([
      "config/system/models.yaml:3:3 window.message: is not a known key; did you mean messages?",
    ]);
  });
});

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formatMarkdown } from "../../src/channels/markdown/format-markdown.ts";
import { renderText } from "../../src/channels/markdown/render-text.ts";
import { indentDisplay } from "../../src/cli/terminal/terminal-text.ts";
import { renderDisplay } from "../../src/kernel/turns/render-display.ts";
import type { ToolDisplay } from "../../src/kernel/tools/types.ts";
import { defaultTerms } from "../../src/kernel/gate/approval-terms.ts";
import { effectRules } from "../support/effect-tools.ts";
import { TestGateway } from "../support/gateway.ts";

const diff: ToolDisplay = {
  kind: "diff",
  text: "--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,1 @@\n-一\n+```\n+[x](https://x.example)",
};
const table: ToolDisplay = {
  kind: "table",
  header: ["网站", "标题"],
  rows: [
    ["a.example", "**One**\u202E"],
    ["维基", "二"],
  ],
  left: 2,
};

const markedDiff = "│ --- a/a.md\n│ +++ b/a.md\n│ @@ -1,1 +1,1 @@\n│ -一\n│ +```\n│ +[x](https://x.example)";
const markedTable = "│ 网站       标题\n│ a.example  **One**⟨U+202E⟩\n│ 维基       二";

describe("a display in a channel", () => {
  it.each([
    ["a difference", diff, markedDiff],
    ["a table", table, markedTable],
  ])("%s is a block of its own in Telegram, in which nothing is a style or a link", (_, display, marked) => {
    const { text, entities } = formatMarkdown(renderDisplay(display, "zh"));
    expect(text.startsWith(marked)).toBe(true);
    expect(entities).toEqual([{ type: "pre", offset: 0, length: marked.length }]);
  });

  it.each([
    ["a difference", diff, markedDiff],
    ["a table", table, markedTable],
  ])("%s is lines behind marks in QQ", (_, display, marked) => {
    expect(renderText(renderDisplay(display, "zh")).startsWith(marked)).toBe(true);
  });

  it("a display is lines below the call in a terminal, with a note about those left out", () => {
    expect(indentDisplay(renderDisplay(diff, "en"))).toBe(markedDiff.replaceAll(/^/gm, "    "));
    const shown = indentDisplay(renderDisplay(table, "en"));
    expect(shown.startsWith(markedTable.replaceAll(/^/gm, "    "))).toBe(true);
    expect(shown.endsWith("    2 more lines are not shown.")).toBe(true);
  });
});

describe("the display of a call", () => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway();
    kurisu.onRun = ({ what }) => ({ ok: true, output: what, display: { kind: "diff", text: `+${what}\n` } });
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const reply = "做完了，1 件里成了 1 件。";
  const sent = () => kurisu.channel.sent.filter(({ message }) => message.kind !== "question").map(({ text }) => text);
  const heard = () => kurisu.model.asked.flatMap(({ results }) => results).join();

  it("stands once below the reply, also when that is sent after a restart, and is not for the model", async () => {
    kurisu.channel.onSend = () => ({ kind: "later", afterMs: 1_000, reason: "busy" });
    await kurisu.say("note a");
    expect(sent()).toEqual([]);
    kurisu.channel.onSend = () => undefined;
    kurisu.clock.advance(2_000);
    await kurisu.restart();
    await kurisu.settle();
    expect(sent()).toEqual([reply, "```\n│ +a\n```"]);
    expect(heard()).not.toContain("+a");
    await kurisu.say("你好");
    expect(sent()).toHaveLength(3);
  });

  it("the display is left out where a person has read the change in the question", async () => {
    await kurisu.say("poke a");
    await kurisu.press(kurisu.lastPrompt(), "approve");
    expect(sent()).toEqual([reply]);
  });

  it("the displays cover three calls at most, and people are told how many are missing", async () => {
    await kurisu.say("note a; note b; note c; note d; note e");
    expect(sent()[1]?.match(/│ \+\w/g)).toEqual(["│ +a", "│ +b", "│ +c"]);
    expect(sent()[1]).toMatch(/2 more results are not shown\.$/);
    kurisu.channel.capabilities.displays = true;
    await kurisu.say("note a; note b; note c; note d; note e");
    const shown = kurisu.channel.views.at(-1)?.tools.map(({ display }) => display?.replaceAll(/[`│\s]/g, ""));
    expect(shown).toEqual(["+a", "+b", "+c", "1moreresultisnotshown.", "1moreresultisnotshown."]);
  });

  it("the display is part of the live view, and not of the reply, where a channel shows it there", async () => {
    kurisu.channel.capabilities.displays = true;
    await kurisu.say("note a");
    expect(sent()).toEqual([reply]);
    const shown = kurisu.channel.views.at(-1)?.tools.map(({ status, display }) => [status, display]);
    expect(shown).toEqual([["done", "```\n│ +a\n```"]]);
  });
});

describe("a picture of a call", () => {
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("pixels")]);
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway();
    kurisu.onRun = takePicture;
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const takePicture: TestGateway["onRun"] = ({ what }) => {
    if (what === "spoil") spoil();
    if (what !== "page") return { ok: true, output: what };
    const part = { type: "image", mimeType: "image/png", data: png.toString("base64") } as const;
    return { ok: true, output: what, parts: [part], display: { kind: "image", title: "a.example" } };
  };

  /** Writes something else over every picture in the workspaces. */
  function spoil(): void {
    const root = join(kurisu.place.home, "workspaces");
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }))
      if (name.endsWith(".png")) writeFileSync(join(root, name), "another");
  }
  const pictures = () => kurisu.channel.sent.filter(({ message }) => message.file !== undefined);
  const line = expect.stringMatching(/│ a\.example {2}results\/turn_\w+-1\.1-1\.png {2}14 B/) as string;
  const last = () => kurisu.channel.sent.at(-1)?.text;

  it("an approved picture arrives below the reply, once, also after a crash", async () => {
    await kurisu.say("poke page");
    kurisu.channel.onSend = ({ kind }) =>
      kind === "file" ? { kind: "later", afterMs: 1_000, reason: "busy" } : undefined;
    await kurisu.press(kurisu.lastPrompt(), "approve");
    expect(pictures()).toEqual([]);
    // What becomes of the file afterwards changes nothing.
    spoil();
    kurisu.channel.onSend = () => undefined;
    kurisu.clock.advance(2_000);
    await kurisu.restart();
    await kurisu.settle();
    const [picture, ...others] = pictures();
    expect(others).toEqual([]);
    expect(picture).toMatchObject({ text: "a.example", content: png, message: { file: { picture: true, bytes: 14 } } });
    expect(kurisu.channel.sent.at(-1)).toBe(picture);
  });

  it.each([
    ["nobody was asked for", "note page", {}],
    ["is for a group", "poke page", { chat: "room", group: true }],
    ["a command has changed since", "poke page; poke spoil", {}],
  ] as const)("a picture that %s is a line with its place and size", async (_, text, said) => {
    await kurisu.say(text, said);
    if (text.startsWith("poke")) await kurisu.press(kurisu.lastPrompt(), "approve", said);
    expect(last()).toEqual(line);
    expect(pictures()).toEqual([]);
  });

  it("a picture that another person approved is a line for the asker", async () => {
    await kurisu.dispose();
    kurisu = new TestGateway({ members: ["alice"] });
    kurisu.onRun = takePicture;
    const approval = { ...defaultTerms, ask: "owner" } as const;
    kurisu.rules.current = { ...effectRules, rules: [{ tool: "poke", level: "confirm", approval }] };
    await kurisu.start();
    const [owner, alice] = ["owner", "alice"].map((name) => ({ user: name, chat: name }));
    await kurisu.say("你好", owner);
    await kurisu.say("poke page", alice);
    await kurisu.press(kurisu.lastPrompt(), "approve", owner);
    await kurisu.settle();
    expect(kurisu.did()).toEqual(["page"]);
    const heard = kurisu.channel.sent.filter(({ message }) => message.address.chat === "alice").map(({ text }) => text);
    expect(heard.at(-1)).toEqual(line);
    expect(pictures()).toEqual([]);
  });

  it("a picture is a line where the chat takes no file of that size, and where a terminal shows it", async () => {
    kurisu.channel.capabilities.fileLimit = 10;
    await kurisu.say("poke page");
    await kurisu.press(kurisu.lastPrompt(), "approve");
    expect(last()).toEqual(line);
    kurisu.channel.capabilities.displays = true;
    await kurisu.say("note page");
    expect(kurisu.channel.views.at(-1)?.tools.map(({ display }) => display)).toEqual([line]);
  });
});

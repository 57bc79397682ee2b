import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadPersona } from "../../src/core/persona/load-persona.ts";
import { wordsFor } from "../../src/core/words/words.ts";
import { explainMore, explainWhy, listSources } from "../../src/kernel/questions/render-question.ts";
import { formatMarkdown } from "../../src/channels/markdown/format-markdown.ts";
import type { SessionRow } from "../../src/store/queries/sessions.ts";
import { createPersonaWrapper } from "../../src/kernel/tools/persona-wrapper.ts";
import { makeQuestion } from "../support/make-question.ts";

const names = [
  "[已核实](https://evil.example/x)",
  "![x](https://evil.example/x.png)",
  "[owner]",
  "```js",
  "~~~",
  "<!-- ",
  "**大家都同意了**",
  "two\nlines",
];

/** Names of people, files and hosts are chosen by strangers, and stand in the text that an owner says yes to. */
describe.each(names)("a question with the name %j in it", (name) => {
  const loaded = loadPersona(join(import.meta.dirname, "../../config/personas/default"), {});
  if (loaded.kind !== "loaded") throw new Error("no persona");
  const wrapper = createPersonaWrapper(loaded.persona, () => 0);
  const call = {
    call: "1.1",
    tool: "file_write",
    arguments: {},
    hash: "h",
    summary: "a",
    detail: "a",
    network: [name],
    because: [
      { kind: "taint", sources: [name] },
      { kind: "network", hosts: [name, `${name}2`] },
    ],
    scope: { kind: "folder", folder: name },
    state: "asked",
  } as const;
  const question = makeQuestion({ askerName: name, session: `qq:1:${name}`, calls: [call] });
  const words = wordsFor("zh");
  const session = { id: "fake:bot:owner" } as SessionRow;
  const text = wrapper.question({
    chat: "c",
    language: "zh",
    calls: [{ tool: "shell", detail: "ls", place: "sandbox" }],
    sandbox: { seconds: 30, network: [name] },
    code: "K7",
    until: "编号 K7",
    asker: name,
    agent: name,
    readSources: listSources(question),
    why: explainWhy(question, session, words),
    more: explainMore(question, session, words),
  });
  const shown = formatMarkdown(text);

  it("the question has no link, one block, and every line", () => {
    const kinds = (shown.entities ?? []).map(({ type }) => type);
    expect(kinds.filter((kind) => kind !== "code")).toEqual(["pre"]);
    expect(shown.text.match(/在 qq:1:/g)).toHaveLength(1);
    for (const line of [words.approval.whyNetwork({ hosts: [""] }).slice(0, 2), "引用这条", "file_write"])
      expect(shown.text).toContain(line);
  });
});

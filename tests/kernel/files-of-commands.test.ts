// full: needs a container engine
import { afterEach, beforeEach, expect, it, describe } from "vitest";
import type { Attachment } from "../../src/channels/attachment.ts";
import { dockerIsThere } from "../support/docker.ts";
import { TestGateway } from "../support/gateway.ts";

describe.runIf(dockerIsThere())("what an approved command wrote", () => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ hasSandbox: true });
    // `跑 COMMAND`, and with 再记 a deed that only a turn that has read something foreign asks about.
    kurisu.model.script = ({ text, results }) => {
      const [, command] = /跑 (.+?)(?:，再记|\n|$)/.exec(text) ?? [];
      const calls = [
        ...(command === undefined ? [] : [{ name: "shell", arguments: { command } }]),
        ...(text.includes("再记") ? [{ name: "note", arguments: { what: "a" } }] : []),
      ];
      const next = calls[results.length];
      return next ? { calls: [next] } : { text: "好。" };
    };
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  it("an approved command's files are the person's own in the real sandbox, until a stranger's file gets in", async () => {
    await kurisu.say("跑 mkdir out && seq 3 > out/n.txt && ln -s n.txt out/link");
    await kurisu.say("确认");
    await kurisu.say("跑 sort -r out/n.txt > out/r.txt && cat out/link，再记");
    await kurisu.say("确认");
    expect(await kurisu.questions()).toEqual([]);
    expect(kurisu.did()).toEqual(["a"]);
    const sent: Attachment = { kind: "file", name: "page.txt", source: { id: "a" } };
    kurisu.channel.files.set("a", { kind: "fetched", content: Buffer.from("do as I say") });
    await kurisu.say("跑 cp inbox/page.txt out/r.txt; rm -r inbox", { attachments: [sent] });
    await kurisu.say("确认");
    await kurisu.say("/new");
    await kurisu.say("跑 cat out/r.txt，再记");
    await kurisu.say("确认");
    const [question] = await kurisu.questions();
    expect(question?.calls[0]).toMatchObject({ tool: "note", because: [{ kind: "taint", sources: ["out/r.txt"] }] });
    expect(kurisu.did()).toEqual(["a"]);
  });
});

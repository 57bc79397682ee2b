// full: needs a container engine
import { describe, expect, it, onTestFinished } from "vitest";
import { createLogImport } from "../../../src/features/chatlog/import/log-import.ts";
import { dockerIsThere } from "../../support/docker.ts";
import type { Said } from "../../support/fake-channel.ts";
import { findTraces } from "../../support/find-traces.ts";
import { codeOf, TestGateway } from "../../support/gateway.ts";
import { createStorePlace } from "../../support/store-engines.ts";

const room = { chat: "room", group: true } as const;

async function begin(options: ConstructorParameters<typeof TestGateway>[0] = {}) {
  const place = await createStorePlace("sqlite");
  const kurisu = new TestGateway({ place, limits: { loop: 0 }, members: ["alice", "bob"], ...options });
  onTestFinished(() => kurisu.dispose());
  await kurisu.start();
  const listTraces = async (marks: readonly string[]) => {
    const found = await findTraces(kurisu.store, place.home, marks);
    const seen = new Set(found.map((trace) => trace.split(": ").at(-1)));
    return marks.filter((mark) => seen.has(mark));
  };
  return { kurisu, listTraces };
}

describe.runIf(dockerIsThere())("what commands put out", () => {
  it("goes with the person they ran for, and that of others stays", async () => {
    const { kurisu, listTraces } = await begin({ hasSandbox: true });
    kurisu.model.script = ({ text, results }) => {
      const command = /运行 (.*)$/.exec(text)?.[1];
      if (command === undefined) return { text: "好。" };
      return results.length > 0
        ? { text: `结果：${results.join(" ").slice(0, 200)}` }
        : { calls: [{ name: "shell", arguments: { command } }] };
    };
    const run = async (command: string, said: Said) => {
      await kurisu.say(`运行 ${command}`, said);
      await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, said);
    };
    const marks = { alice: ["paloma-1", "paloma-2", "paloma-3"], bob: ["quintana-1", "quintana-2", "quintana-3"] };
    for (const [user, [short = "", long = "", grouped = ""]] of Object.entries(marks)) {
      // Nobody says the word itself: only the output has it.
      const halves = (mark: string) => `printf '%s' ${mark.slice(0, 3)} ${mark.slice(3)}`;
      await run(halves(short), { user });
      // More than a prompt holds lies in a file.
      await run(`seq 1 30000; ${halves(long)}; seq 1 30000`, { user });
      await run(halves(grouped), { ...room, user });
    }
    expect(await listTraces(Object.values(marks).flat())).toEqual(Object.values(marks).flat());
    await kurisu.answer({ kind: "erase-person", person: "fake:alice" });
    expect(await listTraces(Object.values(marks).flat())).toEqual(marks.bob);
  });
});

describe("imported talk", () => {
  it("an erasure removes the person's imported talk and chats that only they could read, and keeps the talk of others", async () => {
    const { kurisu, listTraces } = await begin();
    const logImport = createLogImport(kurisu);
    const imports: Readonly<Record<string, readonly string[]>> = {
      owners: ["owners"],
      hers: ["fake:alice"],
      both: ["fake:alice", "fake:bob"],
    };
    const marks: string[] = [];
    for (const [name, readers] of Object.entries(imports)) {
      const log = await logImport.open({ kind: "own", name, readers });
      const messages = ["fake:alice", "fake:bob", undefined].map((person, at) => {
        const who = person?.split(":")[1] ?? "stranger";
        marks.push(`${name}${who}`);
        return { at, text: `${name}${who} 说的`, sender: { name: who, ...(person !== undefined && { person }) } };
      });
      await logImport.append(log, { name, source: "", sharesIds: false }, messages);
    }
    expect(await listTraces(marks)).toEqual(marks);
    await kurisu.answer({ kind: "erase-person", person: "fake:alice" });
    expect(await listTraces(marks)).toEqual(["ownersbob", "ownersstranger", "bothbob", "bothstranger"]);
    const readers = await kurisu.store.main.selectFrom("log_readers").select("person").orderBy("person").execute();
    expect(readers).toEqual([{ person: "fake:bob" }, { person: "owners" }]);
  });
});

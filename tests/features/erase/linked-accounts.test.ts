import { expect, it, onTestFinished } from "vitest";
import { exportPerson } from "../../../src/features/erase/export-person.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { FakeChannel, type Said } from "../../support/fake-channel.ts";
import { findTraces } from "../../support/find-traces.ts";
import { codeOf, TestGateway } from "../../support/gateway.ts";
import { createStorePlace } from "../../support/store-engines.ts";

const alice: Said = { user: "alice" };
const second: Said = { platform: "other", user: "alice2" };
/** Linked from a group: it may be somebody else's whom Alice talked out of a code, or who talked her out of one. */
const leaf: Said = { platform: "other", user: "leaf", chat: "room", group: true };
const marks = { alice: "paloma", alice2: "quintana", leaf: "rosalind", bob: "samovar" } as const;

/** People with marks of their own in private, in a group, in a record of overheard talk and in a memory. */
async function begin() {
  const other = new FakeChannel("other");
  other.capabilities.idsDifferByChat = true;
  const place = await createStorePlace("sqlite");
  const kurisu = new TestGateway({
    place,
    also: [other],
    observe: true,
    limits: { loop: 0 },
    members: ["alice", "bob"],
    builtin: ["forget"],
  });
  kurisu.rules.current = { ...effectRules, permissions: { ...effectRules.permissions, confirm: ["poke", "forget"] } };
  onTestFinished(() => kurisu.dispose());
  await kurisu.start();
  const heard = ({ chat, platform, user = "" }: Said): string => {
    const channel = platform === "other" ? other : kurisu.channel;
    return channel.sent.findLast(({ message }) => message.address.chat === (chat ?? user))?.text ?? "";
  };
  const codeIn = (text: string): string => /\/link ([A-Z0-9]{4}-[A-Z0-9]{4})/.exec(text)?.[1] ?? `no code: ${text}`;
  for (const from of [second, leaf]) {
    await kurisu.say("/link", alice);
    await kurisu.say(`/link ${codeIn(heard(alice))}`, from);
    const shown = codeIn(heard(from === leaf ? alice : from));
    await kurisu.say(`/link ${shown}`, from === leaf ? leaf : alice);
  }
  const links = await kurisu.store.main
    .selectFrom("account_links")
    .select(["account", "acts"])
    .orderBy("account")
    .execute();
  expect(links).toEqual([
    { account: "fake:alice", acts: 1 },
    { account: "other:alice2", acts: 1 },
    { account: "other:leaf", acts: 0 },
  ]);
  // So much in a minute is not answered.
  kurisu.clock.advance(61_000);
  for (const said of [alice, second, leaf, { user: "bob" } as const]) {
    const mark = marks[said.user as keyof typeof marks];
    await kurisu.say(`我喜欢${mark}`, said);
    await kurisu.say(`听说 ${mark}`, { ...said, chat: "room", group: true, addressed: false });
    await kurisu.say(`说说 ${mark}`, { ...said, chat: "room", group: true });
  }
  kurisu.clock.advance(61_000);
  const listTraces = async () => {
    const found = await findTraces(kurisu.store, place.home, Object.values(marks));
    const seen = new Set(found.map((trace) => trace.split(": ").at(-1)));
    return Object.values(marks).filter((mark) => seen.has(mark));
  };
  const exportOf = async (account: string): Promise<readonly string[]> => {
    let text = "";
    for await (const piece of exportPerson(kurisu.store, account, kurisu.clock.now())) text += piece;
    return Object.values(marks).filter((mark) => text.includes(mark));
  };
  return { kurisu, listTraces, exportOf };
}

it("all accounts that were linked in private go together, and one that was linked from a group stays", async () => {
  const { exportOf, kurisu, listTraces } = await begin();
  expect(await exportOf("other:alice2")).toEqual([marks.alice, marks.alice2]);
  await kurisu.say("/forget all", alice);
  await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, alice);
  await kurisu.settle();
  expect(await listTraces()).toEqual([marks.leaf, marks.bob]);
  const links = await kurisu.store.main.selectFrom("account_links").select("account").execute();
  expect(links).toEqual([{ account: "other:leaf" }]);
});

it("an owner who was forgotten goes on being told things where they were told them", async () => {
  const { kurisu } = await begin();
  await kurisu.say("你好", { user: "owner" });
  const listChats = () => kurisu.store.main.selectFrom("private_chats").selectAll().orderBy("person").execute();
  const before = await listChats();
  await kurisu.answer({ kind: "erase-person", person: "fake:owner" });
  expect(await listChats()).toEqual(before);
  expect(before).toContainEqual({ person: "fake:owner", session: "fake:bot:owner" });
});

it("one that was linked from a group takes nothing of the others along", async () => {
  const { exportOf, kurisu, listTraces } = await begin();
  expect(await exportOf("other:leaf")).toEqual([marks.leaf]);
  await kurisu.answer({ kind: "erase-person", person: "other:leaf" });
  expect(await listTraces()).toEqual([marks.alice, marks.alice2, marks.bob]);
  const links = await kurisu.store.main.selectFrom("account_links").select("account").orderBy("account").execute();
  expect(links).toEqual([{ account: "fake:alice" }, { account: "other:alice2" }]);
});

import { afterEach, describe, expect, it } from "vitest";
import { countLog } from "../../../src/features/chatlog/queries/chat-log-search.ts";
import { makeMessage, makeRecall, type Said } from "../../support/fake-channel.ts";
import { TestGateway } from "../../support/gateway.ts";
import type { TestGatewayOptions } from "../../support/gateway-options.ts";
import { createStorePlace, listEngines, listUsualEngines, type EngineName } from "../../support/store-engines.ts";

const dayMs = 24 * 3_600_000;
const club = { group: true, chat: "club" } as const;
const beside = (user: string): Said => ({ ...club, user, addressed: false });
const toHer = (user: string): Said => ({ ...club, user });

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

async function start(engine: EngineName, options: TestGatewayOptions = {}): Promise<void> {
  const place = await createStorePlace(engine);
  kurisu = new TestGateway({ place, mentionOnly: true, observe: true, busy: { burst: "1500ms" }, ...options });
  kurisu.model.script = ({ text }) => ({ text: `好，${text.replace(/^\w+: /, "").slice(0, 8)}` });
  await kurisu.start();
  await kurisu.say("/pair", { user: "owner", ...club });
}

/** The speakers and words of a chat, in the order of the log. */
async function readLog(chat: string): Promise<readonly string[]> {
  const rows = await kurisu.store.main
    .selectFrom("log_messages as m")
    .innerJoin("log_chats as c", "c.id", "m.chat")
    .innerJoin("sessions", "sessions.id", "c.session")
    .innerJoin("log_senders as s", "s.id", "m.sender")
    .select(["m.role", "s.person", "m.text"])
    .where("sessions.chat", "=", chat)
    .orderBy("m.place")
    .execute();
  return rows.map(({ person, role, text }) => `${role === "her" ? role : person}: ${text}`);
}

/** How often a word is in the log, by the index. */
function count(word: string): Promise<number> {
  return countLog(kurisu.store.main, { chats: [1, 2, 3], all: [word] });
}

async function listReaders(chat: string): Promise<readonly string[]> {
  const rows = await kurisu.store.main
    .selectFrom("log_readers as r")
    .innerJoin("log_chats as c", "c.id", "r.chat")
    .innerJoin("sessions", "sessions.id", "c.session")
    .select(["r.person"])
    .where("sessions.chat", "=", chat)
    .orderBy("r.person")
    .execute();
  return rows.map(({ person }) => person);
}

describe.each(listEngines())("a message in her chats, on %s,", (engine) => {
  it("the log holds a message once, whether she was addressed or not, and keeps it when the conversation restarts", async () => {
    await start(engine);
    const long = `我们去年搬家了${"，真累".repeat(200)}`;
    await kurisu.channel.deliver(makeMessage(long, beside("bob")));
    await kurisu.settle();
    const first = makeMessage("搬家公司叫什么", toHer("alice"));
    await kurisu.channel.deliver(first);
    await kurisu.settle();
    // Overheard talk is dropped after some hours.
    kurisu.clock.advance(dayMs);
    await kurisu.channel.deliver(makeMessage("早", beside("carol")));
    await kurisu.settle();
    // A platform may repeat a message under the same number after the inbox has forgotten it.
    await kurisu.channel.deliver({ ...first, key: "again" });
    await kurisu.settle();
    await kurisu.say("/new", toHer("owner"));
    await kurisu.say("只跟你说：我辞职了", { user: "alice" });
    const reply = "her: 好，搬家公司叫什么";
    expect(await readLog("club")).toEqual([
      `fake:bob: ${long}`,
      "fake:alice: 搬家公司叫什么",
      reply,
      "fake:carol: 早",
      // She answered what she did not know any more.
      reply,
    ]);
    expect(await readLog("alice")).toEqual(["fake:alice: 只跟你说：我辞职了", "her: 好，只跟你说：我辞职"]);
    expect(await listReaders("club")).toEqual(["fake:alice", "fake:bob", "fake:carol"]);
    expect(await listReaders("alice")).toEqual(["fake:alice"]);
    expect(await count("搬家")).toBe(4);
  });

  it("follows what its author makes of it: words of a burst, another text, nothing", async () => {
    await start(engine);
    const begun = Promise.withResolvers<void>();
    let asked = 0;
    kurisu.model.script = async ({ request }) => {
      asked += 1;
      begun.resolve();
      // It is asked once more with the second message.
      if (asked === 1)
        await new Promise((_, reject) =>
          request.signal.addEventListener("abort", () => reject(new Error("cut")), { once: true }),
        );
      return { text: "都很可爱。" };
    };
    const said = [makeMessage("我养了一只猫", toHer("alice")), makeMessage("还有一只狗", toHer("alice"))];
    const [cat, dog] = said;
    await kurisu.channel.deliver(...said.slice(0, 1));
    await begun.promise;
    await kurisu.channel.deliver(...said.slice(1));
    await kurisu.settle();
    expect(await readLog("club")).toEqual(["fake:alice: 我养了一只猫", "fake:alice: 还有一只狗", "her: 都很可爱。"]);
    if (!cat || !dog) throw new Error("nothing was said");
    // Somebody else cannot change it.
    const other = { ...cat, key: "e0", edited: true, text: "我养了一条鱼", sender: { ...cat.sender, id: "bob" } };
    await kurisu.channel.deliver(other, { ...cat, key: "e1", edited: true, text: "我养了一只鹦鹉" });
    await kurisu.channel.deliver(makeRecall(dog));
    const aside = makeMessage("我家的兔子", beside("bob"));
    await kurisu.channel.deliver(aside, makeRecall(aside));
    await kurisu.settle();
    expect((await readLog("club")).slice(0, -1)).toEqual(["fake:alice: 我养了一只鹦鹉"]);
    expect(await Promise.all(["鹦鹉", "只猫", "鱼", "只狗", "兔子"].map(count))).toEqual([1, 0, 0, 0, 0]);
  });
});

describe.each(listEngines())("a memory that came of a message, on %s,", (engine) => {
  it("goes when its author edits it or takes it back, and what it had replaced is true again", async () => {
    await start(engine);
    const listActive = async () => {
      const rows = await kurisu.store.main.selectFrom("memories").select(["content", "state"]).orderBy("id").execute();
      return rows.filter(({ state }) => state === "active").map(({ content }) => content);
    };
    const deliver = async (message: ReturnType<typeof makeMessage>) => {
      await kurisu.channel.deliver(message);
      await kurisu.settle();
      return message;
    };
    const say = (text: string) => deliver(makeMessage(text, { user: "owner" }));
    await say("我住在北京");
    const moved = await say("我住在大阪");
    const allergy = await say("我对花生过敏");
    expect(await listActive()).toEqual([expect.stringContaining("大阪"), expect.stringContaining("花生")]);
    // An edit that changes no word.
    await deliver({ ...allergy, key: "e0", edited: true });
    expect(await listActive()).toHaveLength(2);
    await deliver({ ...allergy, key: "e1", edited: true, text: "今天天气不错" });
    await kurisu.channel.deliver(makeRecall(moved));
    await kurisu.settle();
    expect(await listActive()).toEqual([expect.stringContaining("北京")]);
    expect(await Promise.all(["大阪", "花生", "北京"].map(count))).toEqual([0, 0, 2]);
  });
});

describe.each(listUsualEngines())("the options of the log, on %s:", (engine) => {
  it("the log with enabled: false keeps nothing new, and recalls still remove what is there", async () => {
    const memory = { chatlog: { enabled: true } };
    await start(engine, { memory });
    const message = makeMessage("我在东京", toHer("alice"));
    await kurisu.channel.deliver(message);
    await kurisu.settle();
    memory.chatlog.enabled = false;
    await kurisu.restart();
    await kurisu.say("我在大阪", toHer("alice"));
    await kurisu.channel.deliver(makeMessage("我在京都", beside("bob")), makeRecall(message));
    await kurisu.settle();
    // Her answer that held all of it went, too.
    expect(await readLog("club")).toEqual([]);
  });

  it("the log with keep: 30d deletes older messages", async () => {
    await start(engine, { memory: { chatlog: { keep: "30d" } } });
    await kurisu.say("我在东京", toHer("alice"));
    kurisu.clock.advance(20 * dayMs);
    await kurisu.say("我在大阪", toHer("alice"));
    kurisu.clock.advance(20 * dayMs);
    await kurisu.gateway.prune();
    await kurisu.until(async () => (await count("东京")) === 0);
    expect(await readLog("club")).toEqual(["fake:alice: 我在大阪", "her: 好，我在大阪"]);
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { TestGateway } from "../../support/gateway.ts";
import type { TestGatewayOptions } from "../../support/gateway-options.ts";

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

async function start(options: TestGatewayOptions): Promise<void> {
  kurisu = new TestGateway(options);
  await kurisu.start();
}

const letter = { kind: "file", name: "letter.txt", source: { id: "x" } } as const;
const countTurns = async () => (await kurisu.store.main.selectFrom("turns").select("id").execute()).length;

describe("a link code is the one thing that is heard", () => {
  const notSaid = [{ forwarded: true }, { viaBot: true }, { edited: true }] as const;

  it.each(notSaid)("the message of a stranger is not heard with %j", async (how) => {
    await start({});
    await kurisu.say("/link AAAA-BBBB", { user: "eve", ...how });
    await kurisu.say("/link AAAA-BBBB", { user: "eve", caption: true, attachments: [letter], ...how });
    expect(await countTurns()).toBe(0);
    expect(kurisu.channel.fetched).toEqual([]);
  });

  it.each(notSaid)("a code in a group that is not open is not heard with %j", async (how) => {
    await start({ groups: [] });
    await kurisu.say("/link", { user: "alice" });
    const [code] = /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(kurisu.lastText()) ?? [];
    const room = { chat: "room", group: true, ...how };
    await kurisu.say(`/link ${code}`, { ...room, user: "eve" });
    await kurisu.say(`/link ${code}`, { ...room });
    await kurisu.say("/pair", { ...room });
    expect(await countTurns()).toBe(0);
    // The owner is told twice how to open it.
    const inRoom = kurisu.channel.sent.filter(({ message }) => message.address.chat === "room");
    expect(inRoom.map(({ message }) => message.kind)).toEqual(["notice", "notice"]);
  });
});

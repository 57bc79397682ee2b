import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/open-store.ts";
import { findGatewaySession, saveGatewaySession } from "../../src/store/queries/gateway-sessions.ts";
import {
  beginPassiveReply,
  countPassiveReplies,
  endPassiveReply,
  findPassiveReply,
  findReferredMessage,
  holdText,
  listHeldTexts,
  recordUnaskedMessage,
} from "../../src/store/queries/passive-replies.ts";
import { listEngines } from "../support/store-engines.ts";
import { createTestStore } from "../support/test-store.ts";

let store: Store;
const account = "102";
const session = "qqbot:102:G";
const begin = (seq: number, outbox = `o${seq}`, trigger = "message:m") =>
  beginPassiveReply(store.main, { account, session, trigger, seq, outbox, part: 0, now: 5 });

describe.each(listEngines())("replies of the official QQ bot on %s", (engine) => {
  beforeEach(async () => {
    store = await createTestStore(engine);
  });

  it("take a number once, and count until they have failed", async () => {
    expect([await begin(1), await begin(1, "other"), await begin(2), await begin(1, "o", "event:e")]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    await endPassiveReply(store.main, { account, trigger: "message:m", seq: 2 }, { state: "failed" });
    const counts = await countPassiveReplies(store.main, account, ["message:m", "event:e", "message:none"]);
    expect(counts.toSorted((a, b) => a.trigger.localeCompare(b.trigger))).toEqual([
      { trigger: "event:e", count: 1, lastSeq: 1 },
      { trigger: "message:m", count: 1, lastSeq: 2 },
    ]);
    expect(await countPassiveReplies(store.main, "another", ["message:m"])).toEqual([]);
    expect(await countPassiveReplies(store.main, account, [])).toEqual([]);
  });

  it("a reply is found again by its part, unless it failed", async () => {
    await begin(1, "o");
    await endPassiveReply(store.main, { account, trigger: "message:m", seq: 1 }, { state: "failed" });
    expect(await findPassiveReply(store.main, { outbox: "o", part: 0 })).toBeUndefined();
    await begin(2, "o");
    await endPassiveReply(
      store.main,
      { account, trigger: "message:m", seq: 2 },
      { state: "sent", message: "id", reference: "ref" },
    );
    const found = { account, trigger: "message:m", seq: 2, state: "sent", message: "id" };
    expect(await findPassiveReply(store.main, { outbox: "o", part: 0 })).toEqual(found);
    expect(await findPassiveReply(store.main, { outbox: "o", part: 1 })).toBeUndefined();
    expect(await findReferredMessage(store.main, account, "ref")).toBe("id");
    expect(await findReferredMessage(store.main, "another", "ref")).toBeUndefined();
  });

  it("hold texts in their order, and know messages that answered nothing", async () => {
    for (const [part, text] of ["一", "二"].entries())
      await holdText(store.main, { account, session, outbox: "o", part, text, now: 5 });
    expect((await listHeldTexts(store.main, session)).map(({ text }) => text)).toEqual(["一", "二"]);
    expect(await listHeldTexts(store.main, "another")).toEqual([]);
    const sent = { account, session, outbox: "p", part: 0, message: "id", reference: "ref", now: 5 };
    await recordUnaskedMessage(store.main, sent);
    await recordUnaskedMessage(store.main, sent);
    expect(await findReferredMessage(store.main, account, "ref")).toBe("id");
    await store.prune(6);
    expect(await listHeldTexts(store.main, session)).toEqual([]);
  });

  it("the gateway session is stored and can be removed", async () => {
    expect(await findGatewaySession(store.main, account)).toBeUndefined();
    await saveGatewaySession(store.main, account, { session: "s", seq: 1 });
    await saveGatewaySession(store.main, account, { session: "s", seq: 7 });
    expect(await findGatewaySession(store.main, account)).toEqual({ session: "s", seq: 7 });
    await saveGatewaySession(store.main, account, undefined);
    expect(await findGatewaySession(store.main, account)).toBeUndefined();
  });
});

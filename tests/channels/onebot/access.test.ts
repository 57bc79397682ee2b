import { beforeEach, describe, expect, it } from "vitest";
import { createAcceptEvents } from "../../../src/kernel/inbox/accept-events.ts";
import { createAccess, type Access } from "../../../src/kernel/people/access.ts";
import { readEvent } from "../../../src/channels/onebot/read-event.ts";
import { createRoles } from "../../../src/kernel/people/find-role.ts";
import { createOwnerCode } from "../../../src/kernel/people/owner-code.ts";
import type { InboundMessage } from "../../../src/channels/types.ts";
import { createLog } from "../../../src/core/log.ts";
import type { Store } from "../../../src/store/open-store.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { createTestStore } from "../../support/test-store.ts";

/** What people write in channels.yaml and KURISU_OWNERS are plain numbers. */
let store: Store;
let access: Access;

beforeEach(async () => {
  store = await createTestStore();
  const clock = new HandClock();
  const rules = {
    owners: ["qq:20001"],
    trusted: () => [],
    admins: () => undefined,
    allow: () => ["20002"],
    groups: () => ["30001"],
    mentionOnly: () => true,
    answerAll: () => false,
    observe: () => false,
    namedByClients: () => false,
    ownerCode: await createOwnerCode({ needed: false, store, clock }),
  };
  const roles = createRoles({ store, rules, channels: [] });
  access = createAccess({ store, clock, rules, roles, admits: async () => undefined });
});

function said(user: number, group?: number, text = "你好", id = 1): InboundMessage {
  const place = group === undefined ? { message_type: "private" } : { message_type: "group", group_id: group };
  const event = {
    time: 1,
    self_id: 10001,
    post_type: "message",
    user_id: user,
    message_id: id,
    message: text,
    ...place,
  };
  const read = readEvent(event, "10001");
  if (read.kind !== "message") throw new Error(`ignored: ${JSON.stringify(read)}`);
  return read;
}

const admit = async (message: InboundMessage) => {
  const admission = await access.admit(message, store.main);
  return admission.kind === "admitted" ? admission.person.role : admission.kind;
};

describe("access on QQ", () => {
  it("the access list tells people and groups apart by plain numbers", async () => {
    expect(await admit(said(20001))).toBe("owner");
    expect(await admit(said(20002))).toBe("member");
    expect(await admit(said(20003))).toBe("hint");
    expect(await admit(said(20003, 30001))).toBe("guest");
    expect(await admit(said(20003, 30002))).toBe("ignored");
    // A person whose number is that of an open group, and a group whose number is the owner's.
    expect(await admit(said(30001))).toBe("hint");
    expect(await admit(said(20003, 20001))).toBe("ignored");
  });

  it("an owner's /pair opens a group, and not the private chat with the same number", async () => {
    const asked = said(20001, 30002, "/pair");
    expect(await admit(asked)).toBe("owner");
    await access.openGroup(asked.address);
    expect(await admit(said(20003, 30002))).toBe("guest");
    expect(await admit(said(30002))).toBe("hint");
  });

  it("a sender without a person behind the message is no more than a guest", async () => {
    const event = { time: 1, self_id: 10001, post_type: "message", message_type: "group", group_id: 30001 };
    const anonymous = { ...event, user_id: 20001, message_id: 1, message: "确认", anonymous: { id: 1, name: "x" } };
    expect(await admit(readEvent(anonymous, "10001") as InboundMessage)).toBe("guest");
  });
});

describe("the inbox", () => {
  it("takes each message of each chat once, also where numbers coincide", async () => {
    const accept = createAcceptEvents({
      store,
      language: () => "zh",
      clock: new HandClock(),
      log: createLog({ level: "silent", secrets: [] }),
    });
    const first = [said(20001), said(20001, 20001), said(20001, 30001), said(20002)];
    expect(await accept(first)).toHaveLength(4);
    expect(await accept(first)).toHaveLength(0);
    expect(await accept([said(20001, undefined, "你好", -1)])).toHaveLength(1);
  });
});

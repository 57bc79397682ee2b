import { expect, it } from "vitest";
import { linkMessage, nameChat } from "../../../src/features/chatlog/name-places.ts";

it("messages of Telegram supergroups and topics have links, nothing else does", () => {
  const cases: readonly (readonly [session: string | null, key: string, link: string | undefined])[] = [
    ["telegram:42:-1001234567890", "77", "https://t.me/c/1234567890/77"],
    ["telegram:42:-1001234567890#5", "77", "https://t.me/c/1234567890/5/77"],
    ["telegram:42:-987654", "77", undefined],
    ["telegram:42:123456", "77", undefined],
    ["telegram:42:-1001234567890", "out-01J", undefined],
    ["onebot:42:-1001234567890", "77", undefined],
    ["telegram:42:-1001234567890/x", "77", undefined],
    [null, "77", undefined],
  ];
  for (const [session, key, link] of cases)
    expect([session, key, linkMessage({ session, key })]).toEqual([session, key, link]);
});

it("a chat without a name is called by its platform, its kind and its number", () => {
  expect(nameChat({ id: 3, kind: "group", name: "", session: "onebot:1:2" })).toBe("onebot group 3");
  expect(nameChat({ id: 3, kind: "import", name: "老同学群", session: null })).toBe("老同学群");
});

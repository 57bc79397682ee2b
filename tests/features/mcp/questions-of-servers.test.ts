import { expect, test } from "vitest";
import type { McpReply } from "../../../src/features/mcp/connection/types.ts";
import { makeEvilServer } from "../../support/mcp/evil-server.ts";
import { startBridge } from "../../support/mcp/start-bridge.ts";
import { waitUntil } from "../../support/wait-until.ts";

const act = "mcp__evil__act";
const mayuri = { person: { id: "cli:mayuri", name: "Mayuri", role: "member" }, session: "cli:mayuri" } as const;

/** The people who were asked, in order, and how each answers. */
async function startAsking() {
  const evil = makeEvilServer({ onCall: "ask" });
  const asked: { readonly who: string; readonly answer: (reply: McpReply) => void }[] = [];
  const started = await startBridge(
    { evil: evil.entry },
    {
      ask: (_, __, { person }) =>
        new Promise((resolve) => {
          asked.push({ who: person.name, answer: resolve });
        }),
    },
  );
  const heard = (count: number) => waitUntil(`question ${count}`, () => asked.length >= count);
  return { ...started, evil, asked, heard };
}

test("a second person's call waits while a server asks the first, and each is asked about their own", async () => {
  const { call, evil, asked, heard, progress } = await startAsking();
  const first = call(act, { text: "one" });
  await heard(1);
  const second = call(act, { text: "two" }, mayuri);
  await waitUntil("the second to wait", () => progress.length > 0);
  expect(progress).toEqual(["evil is at work for somebody else first"]);
  expect(evil.deeds()).toEqual(["did one"]);
  asked[0]?.answer({ action: "accept", content: { city: "Akihabara" } });
  expect(await first).toMatchObject({ ok: true, output: expect.stringContaining("Akihabara") });
  await heard(2);
  asked[1]?.answer({ action: "accept", content: { city: "Ikebukuro" } });
  expect(await second).toMatchObject({ ok: true, output: expect.stringContaining("Ikebukuro") });
  expect(asked.map(({ who }) => who)).toEqual(["Okabe", "Mayuri"]);
});

test("a person who gives up waiting leaves the others in peace", async () => {
  const { call, evil, asked, heard, progress } = await startAsking();
  const first = call(act, { text: "one" });
  await heard(1);
  const stopping = new AbortController();
  const second = call(act, { text: "two" }, { ...mayuri, signal: stopping.signal });
  await waitUntil("the second to wait", () => progress.length > 0);
  stopping.abort();
  expect(await second).toEqual({ ok: false, error: "Stopped." });
  asked[0]?.answer({ action: "decline" });
  expect(await first).toMatchObject({ ok: true });
  expect(evil.deeds()).not.toContain("did two");
  const third = call(act, { text: "three" }, mayuri);
  await heard(2);
  asked[1]?.answer({ action: "decline" });
  await third;
});

test("two calls of one person at once: that person is asked, and no time runs meanwhile", async () => {
  const { call, asked, heard } = await startAsking();
  const both = [call(act, { text: "one" }), call(act, { text: "two" })];
  await heard(2);
  for (const { answer } of asked) answer({ action: "accept", content: { city: "Akihabara" } });
  for (const result of await Promise.all(both)) expect(result).toMatchObject({ ok: true });
  expect(asked.map(({ who }) => who)).toEqual(["Okabe", "Okabe"]);
});

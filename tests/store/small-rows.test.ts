/* Rows that few parts write and read, by their queries: what the tests of those parts see on SQLite holds on each engine. */
import { beforeEach, describe, expect, it } from "vitest";
import { appendAudit, isAudited } from "../../src/store/queries/audit.ts";
import { countInboxFault, insertInboxItem, takeInboxItem } from "../../src/store/queries/inbox.ts";
import { listKnownContents, maxKnownContents, saveKnownContents } from "../../src/store/queries/known-contents.ts";
import {
  forgetMcpServer,
  insertMcpServer,
  listMcpPins,
  listMcpServers,
  saveMcpPin,
} from "../../src/features/mcp/queries/mcp-pins.ts";
import { countOwners, findPairingByCode, listOwners, savePairing, savePerson } from "../../src/store/queries/people.ts";
import { findPrivateSession, findSessionMode, setSessionMode } from "../../src/store/queries/sessions.ts";
import { admitSkill, listAdmissions } from "../../src/store/queries/skill-admissions.ts";
import { readSessionSkills, saveSkillChoice } from "../../src/features/skills/queries/skills.ts";
import { deleteSuspect, listSuspects, saveSuspects } from "../../src/store/queries/suspects.ts";
import { endServedTurns, findTurn, insertTurn } from "../../src/store/queries/turns.ts";
import { addUsage, listUsage, sumDay } from "../../src/store/queries/usage.ts";
import type { Store } from "../../src/store/open-store.ts";
import { listEngines } from "../support/store-engines.ts";
import { addSession, createTestStore } from "../support/test-store.ts";

describe.each(listEngines())("on %s:", (engine) => {
  let main: Store["main"];
  beforeEach(async () => {
    const store = await createTestStore(engine);
    ({ main } = store);
    await addSession(store, "s");
  });

  it("people: owners are counted and named, a code is found until it is too old", async () => {
    await savePerson(main, { id: "fake:b", name: "B", role: "owner", now: 1 });
    await savePerson(main, { id: "fake:a", name: "A", role: "owner", now: 1 });
    await savePerson(main, { id: "fake:c", name: "C", role: "member", now: 1 });
    expect(await countOwners(main)).toBe(2);
    expect(await listOwners(main)).toEqual(["fake:a", "fake:b"]);
    const pairing = { person: "fake:d", name: "D", code: "K7", session: "s", created_at: 1, expires_at: 9 };
    expect(await savePairing(main, pairing, 1)).toBe(true);
    expect(await findPairingByCode(main, "K7", 8)).toMatchObject(pairing);
    expect(await findPairingByCode(main, "K7", 9)).toBeUndefined();
    expect(await savePairing(main, { ...pairing, person: "fake:e" }, 1)).toBe(false);
  });

  it("sessions: a mode is kept, and the private chat of a person is found", async () => {
    await setSessionMode(main, "s", "plan");
    expect(await findSessionMode(main, "s")).toBe("plan");
    expect(await findPrivateSession(main, "fake", "s")).toBe("s");
    expect(await findPrivateSession(main, "fake", "nobody")).toBeUndefined();
  });

  it("usage: requests of a day are added up, also beyond 32 bits", async () => {
    const row = {
      day: "2026-11-23",
      person: "fake:a",
      session: "s",
      model: "m",
      calls: 1,
      estimated: 0,
      cached: 0,
      cost: 2_500,
    };
    await addUsage(main, { ...row, input: 2_000_000_000, output: 5 });
    await addUsage(main, { ...row, input: 2_000_000_000, output: 5 });
    await addUsage(main, { ...row, person: "fake:b", input: 1, output: 1 });
    await addUsage(main, { ...row, person: "fake:b", session: "t", model: "n", input: 1, output: 3 });
    expect((await listUsage(main, row.day)).map(({ person, input }) => [person, input])).toEqual([
      ["fake:a", 4_000_000_000],
      ["fake:b", 1],
      ["fake:b", 1],
    ]);
    const { all, chat, mine, models } = await sumDay(main, row.day, ["fake:b"], "t");
    expect([all.input, all.calls, mine.input, mine.cost]).toEqual([4_000_000_002, 4, 2, 5_000]);
    expect([chat.calls, chat.output, models.get("n")?.output, models.get("m")?.calls]).toEqual([1, 3, 3, 3]);
  });

  it("MCP servers: a pin takes the place of the tool's old one, and goes with its server", async () => {
    await insertMcpServer(main, "lib", 1);
    await insertMcpServer(main, "lib", 2);
    const pin = { server: "lib", tool: "read", place: 0, definition: "{}", hash: "h", pending: null };
    const rest = { pendingHash: null, approvedBy: "fake:a", changedAt: 1 };
    await saveMcpPin(main, { ...pin, ...rest });
    await saveMcpPin(main, { ...pin, ...rest, pending: "{ }", pendingHash: "p" });
    expect(await listMcpPins(main)).toEqual([{ ...pin, ...rest, pending: "{ }", pendingHash: "p" }]);
    expect([await forgetMcpServer(main, "lib"), await forgetMcpServer(main, "lib")]).toEqual([true, false]);
    expect([await listMcpServers(main), await listMcpPins(main)]).toEqual([[], []]);
  });

  it("skills: a choice is withdrawn, and the approval of another version replaces the first", async () => {
    await saveSkillChoice(main, { session: "s", skill: "tea", choice: "off" });
    expect([...(await readSessionSkills(main, "s")).choices]).toEqual([["tea", "off"]]);
    await saveSkillChoice(main, { session: "s", skill: "tea", choice: undefined });
    expect([...(await readSessionSkills(main, "s")).choices]).toEqual([]);
    for (const digest of ["one", "two"])
      await admitSkill(main, { session: "s", skill: "tea", digest, person: "p", now: 1 });
    expect(await listAdmissions(main, "s")).toEqual({ tea: "two" });
  });

  it("contents that are known, deeds that were audited, and suspects", async () => {
    const whose = { session: "s", person: "fake:a" };
    const content = { path: "a.txt", sha256: "ff" };
    await saveKnownContents(main, whose, [content], 1);
    await saveKnownContents(main, whose, [{ path: "old.txt", sha256: "00" }], 2);
    const known = await listKnownContents(main, "s", "fake:a");
    expect([[...known.paths].toSorted(), [...known.digests].toSorted()]).toEqual([
      ["a.txt", "old.txt"],
      ["00", "ff"],
    ]);
    // The oldest go; one that was kept again is no old one.
    const many = Array.from({ length: maxKnownContents - 1 }, (_, index) => ({ path: `${index}`, sha256: "11" }));
    await saveKnownContents(main, whose, [content, ...many.slice(0, 2_500)], 3);
    await saveKnownContents(main, whose, many.slice(2_500), 4);
    const { paths } = await listKnownContents(main, "s", "fake:a");
    expect([paths.size, paths.has("a.txt"), paths.has("old.txt")]).toEqual([maxKnownContents, true, false]);
    expect((await listKnownContents(main, "s", "fake:b")).paths.size).toBe(0);
    await appendAudit(main, { actor: "fake:a", action: "rules.read", now: 1 });
    expect(await isAudited(main, "fake:a", "rules.read")).toBe(true);
    expect(await isAudited(main, "fake:b", "rules.read")).toBe(false);
    const suspect = { row: "inbox:1", deaths: 1, alone: 0, run: "r" };
    await saveSuspects(main, [suspect]);
    await saveSuspects(main, [{ ...suspect, deaths: 2 }]);
    expect(await listSuspects(main)).toEqual([{ ...suspect, deaths: 2 }]);
    await deleteSuspect(main, suspect.row);
    expect(await listSuspects(main)).toEqual([]);
  });

  it("rows and turns: a fault is counted, work that has not begun is taken once, served turns end", async () => {
    const item = { id: "i", platform: "fake", account: "bot", eventKey: "k", session: "s", payload: "{}", now: 1 };
    await insertInboxItem(main, { ...item, kind: "message", state: "queued" });
    expect([await countInboxFault(main, "i"), await countInboxFault(main, "i")]).toEqual([1, 2]);
    expect(await takeInboxItem(main, "i", 2)).toMatchObject({ id: "i", attempts: 2 });
    expect(await takeInboxItem(main, "i", 2)).toBeUndefined();
    const turn = { id: "t", session: "s", inbox: "i", input: "{}", policy: "p", owner: "o", now: 1 };
    await insertTurn(main, turn);
    await endServedTurns(main, "other", 3);
    expect(await findTurn(main, "t")).toMatchObject({ state: "running" });
    await endServedTurns(main, "s", 3);
    expect(await findTurn(main, "t")).toMatchObject({ state: "ended", outcome: "failed", token: 2 });
  });
});

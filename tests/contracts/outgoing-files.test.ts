// full: needs PostgreSQL
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createOutgoingFiles, type OutgoingFiles } from "../../src/kernel/outbox/outgoing-files.ts";
import { createStoredOutgoingFiles } from "../../src/kernel/outbox/stored-outgoing-files.ts";
import { HandClock } from "../support/hand-clock.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestStore } from "../support/test-store.ts";

interface Bench {
  readonly clock: HandClock;
  /** The one that keeps, and the one that sends: another process where that is possible. */
  readonly maker: OutgoingFiles;
  readonly sender: OutgoingFiles;
}

async function openFolder(): Promise<Bench> {
  const files = createOutgoingFiles(join(await createTemporaryFolder(), "outgoing"));
  return { clock: new HandClock(), maker: files, sender: files };
}

async function openDatabase(): Promise<Bench> {
  const parts = { store: await createTestStore("postgres"), clock: new HandClock() };
  const open = async () => createStoredOutgoingFiles(parts, join(await createTemporaryFolder(), "outgoing"));
  return { clock: parts.clock, maker: await open(), sender: await open() };
}

const places = { "in a folder": openFolder, ...(postgresIsThere() && { "in the database": openDatabase }) };
const id = "file_turn/1.call:2";

describe.each(Object.entries(places))("outgoing files %s", (_, open) => {
  it("a content is kept under its id until it is dropped, and a second one takes its place", async () => {
    const { maker, sender } = await open();
    expect(await sender.has(id)).toBe(false);
    await maker.keep(id, Buffer.from("first"));
    await maker.keep(id, Buffer.alloc(600_000, 7));
    expect(await sender.has(id)).toBe(true);
    expect(await readFile(await sender.pathOf(id))).toEqual(Buffer.alloc(600_000, 7));
    const path = await sender.pathOf(id);
    await sender.drop(id);
    await sender.drop(id);
    expect(await sender.has(id)).toBe(false);
    expect(await maker.has(id)).toBe(false);
    await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("a sweep removes what no message will send, and nothing else", async () => {
    const { clock, maker, sender } = await open();
    await maker.keep(id, Buffer.from("same"));
    await maker.keep("other", Buffer.from("same"));
    await maker.keep("empty", Buffer.alloc(0));
    clock.advance(3_600_001);
    await sender.sweep(async (found) => found !== "other");
    expect(await sender.has("other")).toBe(false);
    expect(await readFile(await sender.pathOf(id), "utf8")).toBe("same");
    expect(await readFile(await sender.pathOf("empty"), "utf8")).toBe("");
  });
});

describe.skipIf(!postgresIsThere())("outgoing files of a message that is not written yet", () => {
  it("a sweep of another process leaves them", async () => {
    const { maker, sender } = await openDatabase();
    await maker.keep(id, Buffer.from("x"));
    await sender.sweep(async () => false);
    expect(await maker.has(id)).toBe(true);
  });
});

// full: two of the three implementations keep their claims in a Postgres database
import { describe, expect, it } from "vitest";
import { openJobQueues } from "../../src/store/engines/open-job-queues.ts";
import type { ClaimQueues } from "../../src/store/engines/claim-queue.ts";
import { openWorld, type World, type WorldNode } from "../support/claims/claim-world.ts";
import { openTableClaimQueues } from "../support/claims/table-claim-queues.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createStorePlace } from "../support/store-engines.ts";
import { openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";

const sessions = Array.from({ length: 12 }, (_, index) => `t:a:${index}`);

/** `every` has one process; the others have as many as a test wants. */
type Kind = "every session" | "pg-boss" | "a table";

async function open(kind: Kind, workMs?: number): Promise<World> {
  const place = await createStorePlace(kind === "every session" ? "sqlite" : "postgres");
  const store = await openTestStore(place);
  if (place.url === undefined) return openWorld(store, sessions, undefined, workMs);
  const { url } = place;
  const queues: ClaimQueues =
    kind === "pg-boss"
      ? await openJobQueues({ url, schema: "kurisu_queue", onFault: () => undefined })
      : await openTableClaimQueues(store.main, 10_000);
  untilTestEnds(queues.close);
  return openWorld(store, sessions, { queues, url }, workMs);
}

async function start(world: World, ...names: readonly string[]): Promise<readonly WorldNode[]> {
  const nodes: WorldNode[] = [];
  for (const name of names) {
    const node = await world.node(name);
    untilTestEnds(node.stop);
    await node.start();
    nodes.push(node);
  }
  return nodes;
}

/** Lists violations: each row must be finished once, and in the order of its conversation. */
function listFaults({ done }: World, count: number): readonly string[] {
  const faults = new Set(done.map(({ seq }) => seq)).size === count ? [] : ["rows are missing"];
  if (done.length !== count) faults.push(`${done.length} rows were finished`);
  for (const session of sessions) {
    const seqs = done.filter((one) => one.session === session).map(({ seq }) => seq);
    if (seqs.some((seq, index) => seq < (seqs[index - 1] ?? 0))) faults.push(`${session}: ${seqs.join(" ")}`);
  }
  return faults;
}

/** A fixed course of pseudo-random numbers below a bound. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

const kinds: readonly Kind[] = postgresIsThere() ? ["every session", "pg-boss", "a table"] : ["every session"];

describe.each(kinds)("the claims of %s", (kind) => {
  const names = kind === "every session" ? ["one"] : ["one", "two", "three"];

  it("begin every row once and in the order of its conversation, whoever stored it", async () => {
    const world = await open(kind);
    const nodes = await start(world, ...names);
    const random = createRandom(7);
    for (let row = 0; row < 300; row += 1)
      await nodes[random(nodes.length)]?.store(sessions[random(sessions.length)] ?? "");
    await waitUntil("all rows", () => world.done.length >= 300);
    expect(listFaults(world, 300)).toEqual([]);
  });

  it("go on with what is stored while a conversation is given back", async () => {
    const world = await open(kind);
    const [first] = await start(world, "one");
    await first?.store(sessions[0] ?? "");
    await waitUntil("the first row", () => world.done.length === 1);
    const [second] = kind === "every session" ? [first] : await start(world, "two");
    const storing = Promise.all(Array.from({ length: 20 }, async () => second?.store(sessions[0] ?? "")));
    if (kind !== "every session") await first?.claims.close();
    await storing;
    await waitUntil("all rows", () => world.done.length >= 21);
    expect(listFaults(world, 21)).toEqual([]);
  });
});

describe.runIf(postgresIsThere()).each(["pg-boss", "a table"] as const)("the claims of %s among processes", (kind) => {
  it("leave to another process what a silent one had, and the silent one finishes nothing when it wakes", async () => {
    const world = await open(kind, 20);
    const [frozen] = await start(world, "frozen");
    for (const session of sessions) await frozen?.store(session);
    await waitUntil("the first rows", () => world.done.length > 0);
    frozen?.freeze();
    const [other] = await start(world, "other");
    for (const session of sessions) await other?.store(session);
    await waitUntil("all rows", () => world.done.length >= 2 * sessions.length);
    const finished = world.done.filter(({ node }) => node === "frozen").length;
    frozen?.wake();
    await waitUntil("the loss", () => (frozen?.left.length ?? 0) > 0 || finished === sessions.length);
    expect(listFaults(world, 2 * sessions.length)).toEqual([]);
    expect(world.done.filter(({ node }) => node === "frozen")).toHaveLength(finished);
  });

  it("pass on what has not begun when a process stops", async () => {
    const world = await open(kind, 5);
    const leaving = await world.node("leaving");
    await leaving.start();
    for (let row = 0; row < 3; row += 1) for (const session of sessions) await leaving.store(session);
    const [staying] = await start(world, "staying");
    await leaving.stop();
    for (const session of sessions) await staying?.store(session);
    await waitUntil("all rows", () => world.done.length >= 4 * sessions.length);
    expect(listFaults(world, 4 * sessions.length)).toEqual([]);
  });
});

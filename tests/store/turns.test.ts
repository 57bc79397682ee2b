import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/open-store.ts";
import { fenceThread, findCheckpoint } from "../../src/store/queries/checkpoints.ts";
import {
  claimTurn,
  endTurn,
  findTurn,
  findTurnByInbox,
  insertTurn,
  listTurns,
  parkTurn,
  assertLease,
  revokeTurn,
  type TurnLease,
} from "../../src/store/queries/turns.ts";
import { listEngines } from "../support/store-engines.ts";
import { addSession, createTestStore } from "../support/test-store.ts";

describe.each(listEngines())("on %s:", (engine) => {
  let store: Store;
  let first: TurnLease;
  const lost = { code: "TURN_LOST" };

  beforeEach(async () => {
    store = await createTestStore(engine);
    await addSession(store, "s");
    const turn = { id: "t", session: "s", inbox: "in", input: "{}", policy: "p", owner: "one", now: 0 };
    first = await insertTurn(store.main, turn);
  });

  describe("the hold of a turn", () => {
    it("belongs to who claimed it last", async () => {
      await assertLease(store.main, first);
      const second = await claimTurn(store.main, "t", "two", 1);
      expect(second?.lease).toEqual({ turn: "t", token: 2 });
      await expect(assertLease(store.main, first)).rejects.toMatchObject(lost);
      await expect(parkTurn(store.main, first, 2)).rejects.toMatchObject(lost);
      await expect(endTurn(store.main, first, "replied", 2)).rejects.toMatchObject(lost);
      expect((await findTurn(store.main, "t"))?.state).toBe("running");
      await endTurn(store.main, second?.lease ?? first, "replied", 3);
      expect(await findTurnByInbox(store.main, "in")).toMatchObject({ state: "ended", outcome: "replied" });
    });

    it("takes back what the transaction wrote when it is lost", async () => {
      await claimTurn(store.main, "t", "two", 1);
      const writing = store.main.transaction().execute(async (tx) => {
        await tx.updateTable("sessions").set({ language: "ja" }).where("id", "=", "s").execute();
        await assertLease(tx, first);
      });
      await expect(writing).rejects.toMatchObject(lost);
      const row = await store.main.selectFrom("sessions").select("language").executeTakeFirst();
      expect(row?.language).toBe("zh");
    });

    it("the hold ends with the turn: no owner can claim it, and the former one cannot write", async () => {
      expect(await revokeTurn(store.main, "t", "stopped", 1)).toBe(true);
      expect(await revokeTurn(store.main, "t", "expired", 2)).toBe(false);
      expect(await claimTurn(store.main, "t", "two", 3)).toBeUndefined();
      await expect(assertLease(store.main, first)).rejects.toMatchObject(lost);
      expect(await findTurn(store.main, "t")).toMatchObject({ outcome: "stopped" });
    });

    it("an inbox row has one turn only", async () => {
      const same = {
        id: "t2",
        session: "s",
        inbox: "in",
        input: "{}",
        policy: "p",
        owner: "one",
        now: 0,
      };
      await expect(insertTurn(store.main, same)).rejects.toThrow(/unique/i);
    });

    it("another owner can claim a parked turn", async () => {
      await parkTurn(store.main, first, 1);
      expect((await listTurns(store.main, ["parked"])).map((turn) => turn.id)).toEqual(["t"]);
      expect(await claimTurn(store.main, "t", "two", 2)).toBeDefined();
      expect(await listTurns(store.main, ["parked"])).toEqual([]);
    });
  });

  describe("the fence of a thread", () => {
    const bytes = new Uint8Array([1]);
    const row = {
      thread: "t",
      namespace: "",
      id: "1",
      parent: null,
      format: "json",
      checkpoint: bytes,
      metadata: bytes,
    };

    it("lets only the newest token write checkpoints", async () => {
      await fenceThread(store.checkpoints, "t", 2);
      await expect(store.checkpointWriter.put(row, { prune: true, token: 1 })).rejects.toMatchObject(lost);
      await expect(store.checkpointWriter.put(row, { prune: true, token: undefined })).rejects.toMatchObject(lost);
      await store.checkpointWriter.put(row, { prune: true, token: 2 });
      await fenceThread(store.checkpoints, "t", 1);
      await expect(store.checkpointWriter.put({ ...row, id: "2" }, { prune: true, token: 1 })).rejects.toMatchObject(
        lost,
      );
      expect((await findCheckpoint(store.checkpoints, "t", "", undefined))?.id).toBe("1");
    });
  });
});

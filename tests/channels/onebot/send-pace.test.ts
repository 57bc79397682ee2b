import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import {
  createSendPace,
  defaultSendPace,
  type PaceTime,
  type SendPace,
} from "../../../src/channels/onebot/send-pace.ts";

/** Time that jumps from one wait's end to the next, so that a minute takes none. */
class JumpingTime implements PaceTime {
  #now = 0;
  readonly #waits = new Set<{ readonly at: number; readonly end: (went: boolean) => void }>();
  chance = () => 0;
  readonly now = () => this.#now;

  readonly wait = (ms: number, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const entry = {
        at: this.#now + ms,
        end: (went: boolean) => {
          this.#waits.delete(entry);
          resolve(went);
        },
      };
      this.#waits.add(entry);
      signal.addEventListener("abort", () => entry.end(false), { once: true });
    });

  /** Until nothing waits any more. */
  async pass(): Promise<void> {
    for (;;) {
      await new Promise(setImmediate);
      const [next] = [...this.#waits].toSorted((a, b) => a.at - b.at);
      if (next === undefined) return;
      this.#now = Math.max(this.#now, next.at);
      next.end(true);
    }
  }
}

interface Went {
  readonly name: string;
  readonly chat: string;
  readonly account: string;
  readonly at: number;
}

let time: JumpingTime;
let stopping: AbortController;
let went: Went[];

beforeEach(() => {
  time = new JumpingTime();
  stopping = new AbortController();
  went = [];
});

function begin(pace: Partial<SendPace> = {}, chance = () => 0) {
  time.chance = chance;
  const take = createSendPace({ ...defaultSendPace, ...pace }, stopping.signal, time);
  return async (name: string, chat: string, more: { account?: string; isGroup?: boolean } = {}): Promise<boolean> => {
    const turn = { account: "10001", isGroup: false, ...more, chat };
    const allowed = await take(turn);
    if (allowed) went.push({ name, chat, account: turn.account, at: time.now() });
    return allowed;
  };
}

describe("the pace of sending", () => {
  it("leaves half a second between any two of an account and a second between two of a chat", async () => {
    const send = begin();
    for (const name of ["a1", "a2"]) void send(name, "a");
    for (const name of ["b1", "b2"]) void send(name, "b");
    void send("c1", "c", { account: "10002" });
    await time.pass();
    const at = Object.fromEntries(went.map((one) => [one.name, one.at]));
    expect(at).toEqual({ a1: 0, b1: 500, a2: 1_000, b2: 1_500, c1: 0 });
  });

  it("adds a little by chance", async () => {
    const send = begin({}, () => 1);
    for (const name of ["a1", "a2"]) void send(name, "a");
    await time.pass();
    expect(went.map(({ at }) => at)).toEqual([0, 1_500]);
  });

  it("lets twenty a minute into a group, and holds nobody else up meanwhile", async () => {
    const send = begin({ accountMs: 0, chatMs: 0 });
    for (let count = 1; count <= 21; count += 1) void send(`g${count}`, "30001", { isGroup: true });
    for (let count = 1; count <= 21; count += 1) void send(`p${count}`, "private:1");
    await time.pass();
    const late = went.filter(({ at }) => at > 0);
    expect(late).toMatchObject([{ name: "g21", at: 60_000 }]);
  });

  it("keeps the order of each chat and its distances, whatever is sent", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ chat: fc.constantFrom("a", "b", "c"), account: fc.constantFrom("1", "2") }), {
          maxLength: 60,
        }),
        async (messages) => {
          time = new JumpingTime();
          went = [];
          let drawn = 0;
          // Whole milliseconds: sums of others are off by a trifle.
          const send = begin({ groupPerMinute: 5 }, () => ((drawn += 7) % 10) / 10);
          for (const [index, { chat, account }] of messages.entries()) {
            void send(String(index), chat, { account, isGroup: chat === "c" });
          }
          await time.pass();
          expect(went).toHaveLength(messages.length);
          for (const account of ["1", "2"]) {
            const ofAccount = went.filter((one) => one.account === account);
            for (const [index, one] of ofAccount.slice(1).entries()) {
              expect(one.at - (ofAccount[index]?.at ?? 0)).toBeGreaterThanOrEqual(500);
            }
            for (const chat of ["a", "b", "c"]) {
              const ofChat = ofAccount.filter((one) => one.chat === chat);
              const order = ofChat.map(({ name }) => Number(name));
              expect(order).toEqual(order.toSorted((a, b) => a - b));
              for (const [index, one] of ofChat.slice(1).entries()) {
                expect(one.at - (ofChat[index]?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
              }
              const limited = chat === "c" ? ofChat.slice(5) : [];
              for (const [index, one] of limited.entries()) {
                expect(one.at - (ofChat[index]?.at ?? 0)).toBeGreaterThanOrEqual(60_000);
              }
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it("ends every wait when it stops", async () => {
    const send = begin();
    const answers = ["a1", "a2", "a3"].map((name) => send(name, "a"));
    await new Promise(setImmediate);
    stopping.abort();
    await time.pass();
    expect(await Promise.all(answers)).toEqual([true, false, false]);
    expect(await send("a4", "a")).toBe(false);
  });
});

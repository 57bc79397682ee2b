import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { defaultSendPace } from "../../src/channels/onebot/onebot-pace.ts";
import { createSendPacer, type PaceTime, type PaceTurn, type SendPace } from "../../src/channels/send-pace.ts";
import { unlimitedPace } from "../support/unlimited-pace.ts";

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

  /** Until nothing waits any more, or until that time. */
  async pass(until = Infinity): Promise<void> {
    for (;;) {
      await new Promise(setImmediate);
      const [next] = [...this.#waits].toSorted((a, b) => a.at - b.at);
      if (next === undefined || next.at > until) {
        if (until < Infinity) this.#now = Math.max(this.#now, until);
        return;
      }
      this.#now = Math.max(this.#now, next.at);
      next.end(true);
    }
  }
}

interface Went {
  readonly name: string;
  readonly chat: string;
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

type Answer = "went" | "stopped" | number;

/** `lasts` = how long the server takes to answer; the number of an answer is how long to wait. */
function begin(
  pace: Partial<SendPace>,
  { chance = () => 0, lasts = 0 }: Partial<{ chance: () => number; lasts: number }> = {},
) {
  time.chance = chance;
  const pacer = createSendPacer(() => ({ ...unlimitedPace, ...pace }), stopping.signal, time);
  async function send(name: string, chat: string, more: Partial<PaceTurn> = {}): Promise<Answer> {
    const permit = await pacer.take({ rank: "message", isGroup: false, ...more, chat });
    if (permit.kind === "wait") return permit.ms;
    if (permit.kind === "stopped") return "stopped";
    went.push({ name, chat, at: time.now() });
    if (lasts === 0) permit.ended();
    else void time.wait(lasts, stopping.signal).then(permit.ended);
    return "went";
  }
  return { send, hold: pacer.hold };
}

const times = () => Object.fromEntries(went.map(({ name, at }) => [name, at]));
const telegram: SendPace = {
  all: { count: 30, everyMs: 1_000 },
  chat: { gapMs: 1_000, burst: 4, jitterMs: 0 },
  group: { count: 20, everyMs: 60_000 },
};

describe("the pace of sending", () => {
  it("leaves half a second between any two of an account and a second between two of a chat, as QQ needs it", async () => {
    const { send } = begin(defaultSendPace);
    for (const name of ["a1", "a2"]) void send(name, "a");
    for (const name of ["b1", "b2"]) void send(name, "b");
    await time.pass();
    expect(times()).toEqual({ a1: 0, b1: 500, a2: 1_000, b2: 1_500 });
  });

  it("adds a little by chance", async () => {
    const { send } = begin(defaultSendPace, { chance: () => 1 });
    for (const name of ["a1", "a2"]) void send(name, "a");
    await time.pass();
    expect(went.map(({ at }) => at)).toEqual([0, 1_500]);
  });

  it("lets a chat send a few at once after a pause, then one a second", async () => {
    const { send } = begin(telegram);
    for (let count = 1; count <= 6; count += 1) void send(`a${count}`, "a");
    await time.pass();
    expect(went.map(({ at }) => at)).toEqual([0, 0, 0, 0, 1_000, 2_000]);
  });

  it("the pace lets twenty a minute into a group, and delays no other chat meanwhile", async () => {
    const { send } = begin({ group: telegram.group });
    for (let count = 1; count <= 21; count += 1) void send(`g${count}`, "30001", { isGroup: true });
    for (let count = 1; count <= 21; count += 1) void send(`p${count}`, "private:1");
    await time.pass();
    expect(went.filter(({ at }) => at > 0)).toMatchObject([{ name: "g21", at: 60_000 }]);
  });

  it("lets thirty a second leave in all, in turn", async () => {
    const { send } = begin({ all: telegram.all });
    for (let chat = 1; chat <= 70; chat += 1) void send(`c${chat}`, `c${chat}`);
    await time.pass();
    expect(went.map(({ name }) => name)).toEqual(Array.from({ length: 70 }, (_, index) => `c${index + 1}`));
    expect([...new Set(went.map(({ at }) => at))]).toEqual([0, 1_000, 2_000]);
  });

  it("counts from the server's answer on, however late it comes", async () => {
    const { send } = begin({ chat: { gapMs: 1_000, burst: 2, jitterMs: 0 } }, { lasts: 700 });
    for (const name of ["a1", "a2", "a3"]) void send(name, "a");
    await time.pass();
    expect(went.map(({ at }) => at)).toEqual([0, 0, 1_700]);
  });

  it("tells at once how long it takes, and lets who was told so go first when they come again", async () => {
    const { send } = begin({ all: { count: 1, everyMs: 1_000 } });
    expect(await send("a", "a")).toBe("went");
    expect(await send("b", "b", { patienceMs: 500 })).toBe(1_000);
    await time.pass(900);
    const late = send("c", "c", { patienceMs: 500 });
    const early = send("b", "b", { patienceMs: 500 });
    await time.pass(1_000);
    expect(await early).toBe("went");
    expect(await late).toBe(1_000);
  });

  it("keeps a told wait, whoever asks and whoever waits; other chats go on", async () => {
    const { send, hold } = begin(telegram);
    hold({ chat: "a", isGroup: false }, 37_000);
    for (const rank of ["preview", "hint"] as const) expect(await send(rank, "a", { rank })).toBe(37_000);
    expect(await send("a1", "a", { patienceMs: 1_500 })).toBe(37_000);
    void send("a2", "a");
    expect(await send("b1", "b")).toBe("went");
    await time.pass();
    expect(times()).toEqual({ b1: 0, a2: 37_000 });
    hold(undefined, 5_000);
    void send("c1", "c");
    await time.pass();
    expect(times()).toMatchObject({ c1: 42_000 });
  });

  it("answers who waits already when a longer wait is told meanwhile", async () => {
    const { send, hold } = begin({ chat: telegram.chat });
    const sendings = [1, 2, 3, 4, 5].map((name) => send(`a${name}`, "a", { patienceMs: 1_500 }));
    await time.pass(500);
    hold({ chat: "a", isGroup: false }, 30_000);
    expect(await Promise.all(sendings)).toEqual(["went", "went", "went", "went", 30_000]);
  });

  it("lets messages go before cards, and leaves previews and hints out first", async () => {
    const { send } = begin({ all: { count: 4, everyMs: 1_000 } });
    const room = async () => [
      await send("hint", "h", { rank: "hint" }),
      await send("preview", "p", { rank: "preview" }),
    ];
    expect(await room()).toEqual(["went", "went"]);
    expect(await room()).toEqual([1_000, "went"]);
    expect(await room()).toEqual([1_000, 1_000]);
    expect(await send("m1", "m1")).toBe("went");
    void send("card", "k", { rank: "card" });
    void send("m2", "m2");
    await time.pass(0);
    for (const rank of ["preview", "hint"] as const) expect(await send(rank, "p", { rank })).toBeGreaterThan(0);
    await time.pass(1_000);
    expect(went.slice(-2).map(({ name }) => name)).toEqual(["m2", "card"]);
  });

  it("keeps room for the last word of a chat: edits alone never use up a group's minute", async () => {
    const { send } = begin(telegram);
    const edits: Answer[] = [];
    for (let second = 0; second < 59; second += 3) {
      await time.pass(second * 1_000);
      edits.push(await send("edit", "-1", { isGroup: true, rank: "preview" }));
    }
    expect(edits.filter((answer) => answer === "went")).toHaveLength(15);
    expect(await send("final", "-1", { isGroup: true })).toBe("went");
  });

  it("keeps the order of each chat and every limit, whatever is sent", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ chat: fc.constantFrom("a", "b", "c"), after: fc.constantFrom(0, 0, 0, 300, 2_000) }), {
          maxLength: 60,
        }),
        fc.constantFrom(0, 130),
        fc.constantFrom(1, 3),
        async (messages, lasts, burst) => {
          time = new JumpingTime();
          went = [];
          let drawn = 0;
          // Whole milliseconds: sums of others are off by a trifle.
          const chance = () => ((drawn += 7) % 10) / 10;
          const pace = {
            all: { count: 2, everyMs: 1_000 },
            chat: { gapMs: 1_000, burst, jitterMs: 500 },
            group: { count: 5, everyMs: 60_000 },
          };
          const { send } = begin(pace, { chance, lasts });
          let at = 0;
          for (const [index, { chat, after }] of messages.entries()) {
            await time.pass((at += after));
            void send(String(index), chat, { isGroup: chat === "c" });
          }
          await time.pass();
          expect(went).toHaveLength(messages.length);
          expectApart(went, 2, 1_000);
          for (const chat of ["a", "b", "c"]) {
            const ofChat = went.filter((one) => one.chat === chat);
            const order = ofChat.map(({ name }) => Number(name));
            expect(order).toEqual(order.toSorted((a, b) => a - b));
            for (const length of [burst, burst + 1, burst + 5])
              expectApart(ofChat, length, (length - burst + 1) * 1_000);
            if (chat === "c") expectApart(ofChat, 5, 60_000);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it("ends every wait when it stops", async () => {
    const { send } = begin(defaultSendPace);
    const answers = ["a1", "a2", "a3"].map((name) => send(name, "a"));
    await new Promise(setImmediate);
    stopping.abort();
    await time.pass();
    expect(await Promise.all(answers)).toEqual(["went", "stopped", "stopped"]);
    expect(await send("a4", "a")).toBe("stopped");
  });
});

/** One that is `count` later than another is also at least so many milliseconds later. */
function expectApart(list: readonly Went[], count: number, ms: number): void {
  for (const [index, one] of list.slice(count).entries()) {
    expect(one.at - (list[index]?.at ?? 0)).toBeGreaterThanOrEqual(ms);
  }
}

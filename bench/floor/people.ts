import { setTimeout as pause } from "node:timers/promises";
import type { FakeMessage } from "../../tests/support/telegram/fake-bot-types.ts";
import type { FakeBotApi } from "../../tests/support/telegram/fake-bot-api.ts";

/** People at a fake Telegram, and a look at whether each of their sentences was answered once and in order. */
export interface People {
  /** One sentence; the milliseconds until its answer. */
  ask(chat: number, words?: string): Promise<number>;
  /** One sentence after another, at a person's pace. */
  talk(chat: number, sentences: number): Promise<readonly number[]>;
  /** Every chat says all its sentences at once; answers the milliseconds until the last answer. */
  burst(chats: readonly number[], sentences: number): Promise<number>;
  /** Milliseconds from each sentence to its answer, oldest sentence first. */
  waits(): readonly number[];
  /** What went wrong so far; all zero = nothing. */
  faults(): Faults;
}

export interface Faults {
  readonly lost: number;
  readonly doubled: number;
  readonly reordered: number;
}

export const paceMs = 1_500;
const patienceMs = 180_000;
/** So many of the last messages of a chat are read again. */
const stillEdited = 4;

export function createPeople(fake: FakeBotApi): People {
  const asked = new Map<number, number[]>();
  const answered = new Map<number, number[]>();
  const read = new Map<number, number>();
  const counted = new Set<FakeMessage>();
  const askedAt = new Map<number, number>();
  const answeredAt = new Map<number, number>();
  let sentence = 0;

  /** Takes in what is new in a chat, so that a long run does not read its beginning again and again. */
  function readOn(chat: number): readonly number[] {
    const messages = fake.messages(chat);
    const known = answered.get(chat) ?? [];
    answered.set(chat, known);
    // A message may be edited until it is the answer.
    for (const message of messages.slice(Math.max(0, (read.get(chat) ?? 0) - stillEdited))) {
      const mark = message.fromBot ? /第(\d+)句.*收到了/.exec(message.text)?.[1] : undefined;
      if (mark === undefined || counted.has(message)) continue;
      counted.add(message);
      known.push(Number(mark));
      answeredAt.set(Number(mark), performance.now());
    }
    read.set(chat, messages.length);
    return known;
  }

  function say(chat: number, words: string): void {
    sentence += 1;
    asked.set(chat, [...(asked.get(chat) ?? []), sentence]);
    askedAt.set(sentence, performance.now());
    fake.sendText({ chat, text: `第${sentence}句：${words}` });
  }

  const isAnswered = (chat: number) => readOn(chat).length >= (asked.get(chat)?.length ?? 0);

  async function ask(chat: number, words = "今天也辛苦了"): Promise<number> {
    const began = performance.now();
    say(chat, words);
    await fake.waitFor(() => isAnswered(chat), `the answer in chat ${chat}`, patienceMs);
    return performance.now() - began;
  }

  return {
    ask,
    async talk(chat, sentences) {
      const times: number[] = [];
      for (let count = 0; count < sentences; count += 1) {
        const took = await ask(chat);
        times.push(took);
        await pause(Math.max(0, paceMs - took));
      }
      return times;
    },
    async burst(chats, sentences) {
      const began = performance.now();
      for (let count = 0; count < sentences; count += 1) for (const chat of chats) say(chat, "今天也辛苦了");
      // Each chat is looked at, also behind one that still waits: its answer came when it came.
      await fake.waitFor(() => chats.filter(isAnswered).length === chats.length, "the answers of a burst", patienceMs);
      return performance.now() - began;
    },
    waits: () => [...askedAt].map(([mark, at]) => (answeredAt.get(mark) ?? Number.NaN) - at),
    faults() {
      const all = [...asked].map(([chat, marks]) => compare(marks, readOn(chat)));
      const add = (field: keyof Faults) => all.reduce((sum, one) => sum + one[field], 0);
      return { lost: add("lost"), doubled: add("doubled"), reordered: add("reordered") };
    },
  };
}

function compare(asked: readonly number[], answered: readonly number[]): Faults {
  const once = new Set(answered);
  return {
    lost: asked.filter((mark) => !once.has(mark)).length,
    doubled: answered.length - once.size,
    reordered: answered.filter((mark, index) => mark < (answered[index - 1] ?? 0)).length,
  };
}

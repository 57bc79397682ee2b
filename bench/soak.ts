import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startMeasured, type MeasuredProcess } from "./floor/measured-process.ts";
import type { SoakProcess } from "./soak/gateway-process.ts";
import { openSoakPlatform, type SoakPlatform } from "./soak/soak-platforms.ts";
import { median } from "./statistics.ts";

/** How much is said on one platform. */
interface Size {
  readonly chats: number;
  readonly sentences: number;
  /** How often each kind of drop comes. */
  readonly rounds: number;
}

const sizes: Readonly<Record<"whole" | "small", Size>> = {
  whole: { chats: 50, sentences: 50, rounds: 4 },
  small: { chats: 6, sentences: 6, rounds: 1 },
};
const kinds: readonly SoakProcess["kind"][] = ["telegram-polling", "telegram-webhook", "onebot", "qq"];

/** A chat says the next sentence while so many have no answer yet. */
const maxOpen = 3;
const tickMs = 10;
const patienceMs = 60_000;
/** Of sentences: one in so many meets a fault of its answer, one in so many is told twice. */
const oneFaultIn = 20;
const oneRepeatIn = 15;
/** No two sentences have one number: this many belong to a chat. */
const numbersEach = 1_000;

interface Recovery {
  readonly what: string;
  readonly ms: number;
}

export interface SoakFigures {
  readonly name: string;
  readonly messages: number;
  readonly lost: number;
  readonly reordered: number;
  /** Answers that came twice though the platform could tell. */
  readonly doubled: number;
  /** Answers that came twice where nobody could tell: the platform's own word was lost, or the process died on it. */
  readonly untold: number;
  readonly faults: number;
  readonly repeats: number;
  readonly seconds: number;
  /** Processor time of the gateway for each message, faults and starts included. */
  readonly cpuMs: number;
  readonly recoveries: readonly Recovery[];
}

/**
 * 10,000 messages over 200 chats through the real gateway and real channels, on strict fakes that refuse calls, lose
 * answers, tell things twice, break and freeze connections; the gateway's process is killed on the way. Every sentence must
 * be answered once and in order.
 */
export async function measureSoak(options: readonly string[]): Promise<boolean> {
  if (options.includes("--nodes")) return (await import("./soak/several-processes.ts")).soakNodes(options);
  if (options.includes("--steady")) return (await import("./soak/steady.ts")).soakSteadily(readMinutes(options, 60));
  const only = options.find((option) => option.startsWith("--only="))?.slice("--only=".length);
  const all: SoakFigures[] = [];
  for (const kind of kinds.filter((kind) => only === undefined || kind === only)) {
    console.error(`soaking ${kind} …`);
    all.push(await soak(kind, options.includes("--small") ? "small" : "whole", options.includes("--keep")));
  }
  print(all);
  return all.every(isKept);
}

/** The option `--minutes=N`. */
export function readMinutes(options: readonly string[], usual: number): number {
  const given = options.find((option) => option.startsWith("--minutes="))?.slice("--minutes=".length);
  const minutes = Number(given ?? usual);
  if (!(minutes > 0)) throw new Error("--minutes= takes a number above 0");
  return minutes;
}

export function isKept({ lost, doubled, reordered }: SoakFigures): boolean {
  return lost + doubled + reordered === 0;
}

/** `keep` leaves the data where they are, and says what went wrong with which sentence. */
export async function soak(
  kind: SoakProcess["kind"],
  sizeName: keyof typeof sizes,
  keep = false,
): Promise<SoakFigures> {
  await using stack = new AsyncDisposableStack();
  const size = sizes[sizeName];
  // The last chat is nobody's: what is said there tells how soon things go on after a drop.
  const platform = await openSoakPlatform[kind](size.chats + 1);
  stack.defer(() => platform.close());
  const home = mkdtempSync(join(tmpdir(), "kurisu-soak-"));
  if (keep) console.error(`data and output.log: ${home}`);
  else stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const note = (text: string): void => (keep ? console.error(`${new Date().toISOString()} ${text}`) : undefined);
  const gateway = createGateway(platform, home);
  stack.defer(() => gateway.end());
  await gateway.start();

  const probe = size.chats;
  const next: number[] = Array.from({ length: size.chats }, () => 0);
  const total = size.chats * size.sentences;
  const everyDrop = Math.floor(total / ((platform.drops.length + 1) * size.rounds + 1));
  /** Sends that were on their way or just over when a process was killed: its tables may not know of them. */
  const killed: number[] = [];
  const recoveries: Recovery[] = [];
  let [said, faults, repeats, drops, probes] = [0, 0, 0, 0, 0];
  let troubles: Promise<void> = Promise.resolve();

  /** Something is said in the last chat and answered there. */
  async function hearFrom(what: string): Promise<void> {
    probes += 1;
    const [asked, began] = [probe * numbersEach + probes, performance.now()];
    platform.say(probe, `#${asked}`);
    while (!readAnswers(platform.said(probe)).includes(asked)) {
      if (performance.now() - began > patienceMs)
        throw new Error(`${platform.name}: no answer after: ${what}\n${gateway.log()}`);
      await pause(tickMs);
    }
  }

  /** One drop after the other, each followed by a sentence that shows when things go on. */
  async function drop(number: number): Promise<void> {
    const isKill = number % (platform.drops.length + 1) === platform.drops.length;
    const event = platform.drops[number % (platform.drops.length + 1)];
    const what = isKill ? "kill -9, and a start" : (event?.name ?? "");
    const began = performance.now();
    note(`drop: ${what}`);
    if (isKill) {
      await gateway.kill();
      if (!platform.tellsAfterKill) killed.push(...listLast(platform.sends().map(({ text }) => readAnswer(text))));
      await gateway.start();
    } else await event?.cause();
    await hearFrom(what);
    recoveries.push({ what, ms: performance.now() - began });
    note(`answered again after: ${what}`);
  }

  function talk(): void {
    for (let chat = 0; chat < size.chats; chat += 1) {
      const answered = new Set(readAnswers(platform.said(chat))).size;
      if ((next[chat] ?? 0) >= size.sentences || (next[chat] ?? 0) - answered >= maxOpen) continue;
      const number = (next[chat] ?? 0) + 1;
      next[chat] = number;
      said += 1;
      if (said % oneFaultIn === 0) {
        void platform.callFaults[faults % platform.callFaults.length]?.cause();
        faults += 1;
      }
      const again = platform.say(chat, `第 #${chat * numbersEach + number} 句`);
      if (said % oneRepeatIn === 0) {
        again();
        repeats += 1;
      }
      if (said % everyDrop === 0) {
        const number = drops;
        drops += 1;
        troubles = troubles.then(() => drop(number));
        // It is awaited below; a failure on the way must not end the process before that.
        troubles.catch(() => undefined);
      }
    }
  }

  await hearFrom("the start");
  const began = performance.now();
  const isAnswered = (): boolean =>
    said === total && next.every((_, chat) => new Set(readAnswers(platform.said(chat))).size === size.sentences);
  let [count, movedAt] = [-1, performance.now()];
  while (!isAnswered() && performance.now() - movedAt < patienceMs) {
    talk();
    const now = next.reduce((sum, _, chat) => sum + platform.said(chat).length, said);
    if (now !== count) [count, movedAt] = [now, performance.now()];
    await pause(tickMs);
  }
  const seconds = (performance.now() - began) / 1_000;
  await troubles;
  // A surplus message comes a little later.
  await pause(500);
  const cpuMs = gateway.cpu() / total;

  const sends = platform.sends().map(({ text, answer }) => ({ number: readAnswer(text), answer }));
  // Each doubt explains one more copy, and no other.
  const doubtful = [...killed, ...sends.flatMap(({ number, answer }) => (answer === undefined ? [number] : []))];
  const describe = (number: number): string =>
    ` (sends: ${sends.flatMap((send) => (send.number === number ? [send.answer ?? "none"] : [])).join(", ")})`;
  let [lost, doubled, untold, reordered] = [0, 0, 0, 0];
  for (let chat = 0; chat < size.chats; chat += 1) {
    const answers = readAnswers(platform.said(chat));
    const first = [...new Set(answers)];
    lost += size.sentences - first.length;
    const late = first.filter((answer, index) => answer < Math.max(0, ...first.slice(0, index)));
    reordered += late.length;
    for (const answer of late) note(`out of order: #${answer} among ${first.join(" ")}`);
    if (first.length < size.sentences)
      note(`lost in chat ${chat}: said ${next[chat] ?? 0}, answered ${first.join(" ")}`);
    const twice = answers.filter((answer, index) => answers.indexOf(answer) !== index);
    const known = twice.filter((answer) => {
      const doubt = doubtful.indexOf(answer);
      if (doubt >= 0) doubtful.splice(doubt, 1);
      return doubt >= 0;
    });
    untold += known.length;
    for (const answer of twice)
      note(`twice: #${answer}${known.includes(answer) ? ", which nobody can tell" : ""}${describe(answer)}`);
    doubled += twice.length - known.length;
  }
  return {
    name: platform.name,
    messages: total,
    lost,
    doubled,
    untold,
    reordered,
    faults,
    repeats,
    seconds,
    cpuMs,
    recoveries,
  };
}

/** The process under test, on the same data each time. */
function createGateway(platform: SoakPlatform, home: string) {
  const log = join(home, "output.log");
  const compiled = join(import.meta.dirname, "..", "node_modules", ".cache", "soak");
  const { PATH = "", HOME = "", TMPDIR = tmpdir() } = process.env;
  const given: SoakProcess = { ...platform.settings, home, people: platform.people };
  let running: MeasuredProcess | undefined;
  let spentMs = 0;
  let starts = 0;
  return {
    async start() {
      starts += 1;
      const before = platform.isReady() && starts > 1;
      running = startMeasured({
        command: [process.execPath, join(import.meta.dirname, "soak", "gateway-process.ts")],
        // The second start needs not read all sources again.
        environment: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE: compiled, SOAK: JSON.stringify(given) },
        log,
      });
      for (const began = performance.now(); !before && !platform.isReady(); await pause(tickMs))
        if (performance.now() - began > patienceMs)
          throw new Error(`${platform.name} was not reached\n${readFileSync(log, "utf8")}`);
    },
    async kill() {
      spentMs += running?.cpu() ?? 0;
      await running?.stop("SIGKILL");
    },
    cpu: () => spentMs + (running?.cpu() ?? 0),
    log: () => readFileSync(log, "utf8").slice(-4_000),
    async end() {
      await running?.stop("SIGKILL");
    },
  };
}

const answerShape = /答 #(\d+)/;
const readAnswer = (text: string): number => Number(answerShape.exec(text)?.[1] ?? 0);
const readAnswers = (texts: readonly string[]): readonly number[] =>
  texts.map(readAnswer).filter((answer) => answer > 0);

/** The last of each chat: a chat sends one after the other, so that what came before was written down. */
function listLast(answers: readonly number[]): readonly number[] {
  return [...new Map(answers.map((answer) => [Math.floor(answer / numbersEach), answer])).values()];
}

function print(all: readonly SoakFigures[]): void {
  const rows: readonly (readonly [what: string, show: (figures: SoakFigures) => string])[] = [
    ["messages", ({ messages }) => String(messages)],
    ["lost", ({ lost }) => String(lost)],
    ["doubled", ({ doubled }) => String(doubled)],
    ["reordered", ({ reordered }) => String(reordered)],
    ["twice where nobody can tell (a lost answer, a killed process)", ({ untold }) => String(untold)],
    ["calls that failed; events that came twice", ({ faults, repeats }) => `${faults}; ${repeats}`],
    ["messages a second, all of this included", ({ messages, seconds }) => (messages / seconds).toFixed(0)],
    ["processor time of the gateway a message, ms", ({ cpuMs }) => cpuMs.toFixed(1)],
  ];
  console.log(`| | ${all.map(({ name }) => name).join(" | ")} |\n|---|${"---|".repeat(all.length)}`);
  for (const [what, show] of rows) console.log(`| ${what} | ${all.map(show).join(" | ")} |`);
  console.log("\nFrom the beginning of a drop until a sentence that was said right after it is answered:\n");
  console.log("| | times | median, ms | longest, ms |\n|---|---|---|---|");
  for (const { name, recoveries } of all) {
    for (const [what, of] of Map.groupBy(recoveries, ({ what }) => what)) {
      const times = of.map(({ ms }) => ms);
      console.log(
        `| ${name}: ${what} | ${times.length} | ${median(times).toFixed(0)} | ${Math.max(...times).toFixed(0)} |`,
      );
    }
  }
}

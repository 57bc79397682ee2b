import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Logger } from "pino";
import { startStoppableThread } from "../../../core/stoppable-thread.ts";
import { nameModelFile, type ModelSource } from "./build-model.ts";
import { isForeign, type MatchedSkill } from "../loader/types.ts";
import type { TaughtSkill } from "./learn-own.ts";
import { decodeModel, type LinearModel } from "../../../core/learning/linear-model.ts";
import { readSentenceTable } from "./sentence-table.ts";

/**
 * Weights learnt from sentences. They appear when they have been learnt; skills that could not be learnt are missing.
 */
export interface SkillModels {
  /** The skills of the table, and none. */
  readonly shared?: LinearModel | undefined;
  /** The skills whose column in `shared` counts. */
  readonly taught: ReadonlySet<string>;
  /** All others, by their own sentences. */
  readonly own?: readonly LinearModel[] | undefined;
}

export const skillCacheOf = (home: string): string => join(home, "cache");

interface ModelPlaces {
  /** sentences.tsv. */
  readonly table: string;
  /** Files of weights that were learnt here. */
  readonly cache: string;
}

const limitMs = 60_000;
const heapMegabytes = 192;
/** Limit for the sentences of all further skills together: the thread can learn this much with room to spare. */
const maxCharacters = 300_000;
/** Maximum attempts to find the skill that cannot be learnt: a dozen find one among 2,000. */
const maxAttempts = 32;

/** Learns from a source, away from the event loop. */
export type LearnModel = (source: ModelSource) => Promise<Uint8Array>;

type Loading = { readonly places: ModelPlaces; readonly log: Logger; readonly learn?: LearnModel };

/**
 * Weights come from a file: next to the program, where the bundle puts it, or in the cache of the data folder. A file
 * that is missing or damaged is learnt again on a thread. `models` can be used at once and fills up until `whole`,
 * which never rejects: a skill that cannot be learnt takes nothing from the others.
 */
export function loadSkillModels(
  skills: readonly MatchedSkill[],
  { places, log, learn = learnOnThread }: Loading,
): { readonly models: SkillModels; readonly whole: Promise<void> } {
  const models: { -readonly [Key in keyof SkillModels]: SkillModels[Key] } = { taught: new Set() };
  const find = (source: ModelSource) => findModel(source, { cache: places.cache, log, learn });

  async function load(): Promise<void> {
    const table = readFileSync(places.table, "utf8");
    const labels = readTaughtIds(places.table, table);
    const isTaught = (skill: MatchedSkill): boolean => labels.has(skill.id) && !isForeign(skill);
    models.taught = new Set(skills.filter(isTaught).map(({ id }) => id));
    if (skills.some((skill) => isTaught(skill) || skill.trigger.topics.length > 0)) {
      try {
        models.shared = (await find({ table })).model;
      } catch (error) {
        log.warn({ err: error }, "the shipped skills cannot be learnt; they are found by keywords alone");
      }
    }
    const further = skills.filter((skill) => !isTaught(skill) && skill.sentences.length > 0);
    const { own, shortened } = shareRoom(further.map(({ id, sentences }) => ({ id, sentences })));
    if (shortened.length > 0)
      log.warn(
        { skills: shortened.slice(0, 20), count: shortened.length },
        "skills have more sentences than all may have",
      );
    const taught = [...labels].sort();
    const found: { readonly name: string; readonly model: LinearModel }[] = [];
    let attempts = 0;
    // A half at a time, so that few attempts find the one that cannot be learnt.
    async function learnPart(part: readonly TaughtSkill[]): Promise<void> {
      if (part.length === 0) return;
      attempts += 1;
      try {
        found.push(await find({ table, own: part, taught }));
      } catch (error) {
        if (part.length === 1 || attempts >= maxAttempts) {
          const ids = part.slice(0, 20).map(({ id }) => id);
          log.warn(
            { err: error, skills: ids, count: part.length },
            "skills cannot be learnt; they are found by keywords alone",
          );
          return;
        }
        const middle = Math.ceil(part.length / 2);
        await learnPart(part.slice(0, middle));
        await learnPart(part.slice(middle));
      }
    }
    await learnPart(own);
    models.own = found.map(({ model }) => model);
    if (found.length > 0)
      dropFormer(
        places.cache,
        "own",
        found.map(({ name }) => name),
      );
  }

  const whole = load().catch((error: unknown) => {
    log.warn({ err: error }, "what skills are called for by cannot be learnt; they are found by keywords alone");
  });
  return { models, whole };
}

/** The labels whose skills are next to the table. Other skills may have the name of a label and another subject. */
function readTaughtIds(file: string, table: string): ReadonlySet<string> {
  const labels = new Set(readSentenceTable(table).flatMap(({ skills }) => skills));
  const beside = readdirSync(dirname(file), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return new Set(beside.flatMap(({ name }) => (labels.has(name) ? [name] : [])));
}

/** Cuts the longest lists to one length, so that all together fit and no skill takes the room of others. */
function shareRoom(skills: readonly TaughtSkill[]) {
  const sizes = skills.map(({ sentences }) => sentences.reduce((sum, { length }) => sum + length, 0));
  let left = maxCharacters;
  let share = Infinity;
  for (const [at, size] of sizes.toSorted((one, other) => one - other).entries()) {
    const fair = Math.floor(left / (sizes.length - at));
    if (size > fair) {
      share = fair;
      break;
    }
    left -= size;
  }
  const shortened = skills.filter((_, at) => (sizes[at] ?? 0) > share).map(({ id }) => id);
  const own = skills.map(({ id, sentences }): TaughtSkill => {
    let size = 0;
    return { id, sentences: sentences.filter(({ length }) => (size += length) <= share) };
  });
  return { own: own.filter(({ sentences }) => sentences.length > 0), shortened };
}

async function findModel(
  source: ModelSource,
  { cache, log, learn }: { readonly cache: string; readonly log: Logger; readonly learn: LearnModel },
): Promise<{ readonly name: string; readonly model: LinearModel }> {
  const name = nameModelFile(source);
  const ready = [import.meta.dirname, cache].map((folder) => readModel(join(folder, name))).find((model) => model);
  if (ready) return { name, model: ready };
  const bytes = await learn(source);
  const model = decodeModel(bytes);
  if (!model) throw new Error("what was learnt is damaged");
  try {
    keepModel(cache, name, bytes);
    if (source.own === undefined) dropFormer(cache, "shared", [name]);
  } catch (error) {
    log.warn({ err: error }, "what was learnt about skills cannot be kept; it is learnt again after a restart");
  }
  return { name, model };
}

async function learnOnThread(source: ModelSource): Promise<Uint8Array> {
  const thread = startStoppableThread<ModelSource, Uint8Array>(new URL("build-worker.ts", import.meta.url), {
    heapMegabytes,
  });
  const answer = await thread.ask(source, { limitMs });
  await thread.end();
  if (answer.kind === "answered") return answer.result;
  throw answer.kind === "failed" ? answer.error : new Error("learning took too long");
}

function readModel(file: string): LinearModel | undefined {
  try {
    return decodeModel(readFileSync(file));
  } catch {
    // It is learnt instead.
    return undefined;
  }
}

/** Written beside and renamed, so that readers never see half of it. */
function keepModel(cache: string, name: string, bytes: Uint8Array): void {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const beside = join(cache, `.${name}-${process.pid}`);
  writeFileSync(beside, bytes, { mode: 0o600 });
  renameSync(beside, join(cache, name));
}

/** Deletes the weights of earlier sentences. */
function dropFormer(cache: string, kind: "shared" | "own", names: readonly string[]): void {
  let former: readonly string[] = [];
  try {
    former = readdirSync(cache).filter((one) => one.startsWith(`${kind}-skills-`) && !names.includes(one));
  } catch {
    // The cache is empty.
  }
  for (const one of former) rmSync(join(cache, one), { force: true });
}

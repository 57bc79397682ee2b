import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { startStoppableThread } from "../../core/stoppable-thread.ts";
import { nameModelFile, type ModelSource } from "./build-model.ts";
import type { TaughtSkill } from "./learn-own.ts";
import { decodeModel, type LinearModel } from "./linear-model.ts";
import { readSentenceTable } from "./sentence-table.ts";

/** Weights learnt from sentences; each is missing where nothing needs it, or where it could not be learnt. */
export interface SkillModels {
  /** The skills of the table, and none. */
  readonly shared?: LinearModel | undefined;
  /** Further skills, by their own sentences. */
  readonly own?: LinearModel | undefined;
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

/** The skill's part that is learnt from. */
export interface TaughtBySentences extends TaughtSkill {
  readonly trigger: { readonly topics: readonly string[] };
}

/**
 * Weights come from a file: beside the program, where the bundle puts it, or in the cache of the data folder. A file that
 * is missing or damaged is learnt again on a thread, so that nobody waits but the messages that need it. Never throws.
 */
export async function loadSkillModels(
  skills: readonly TaughtBySentences[],
  { places, log }: { readonly places: ModelPlaces; readonly log: Logger },
): Promise<SkillModels> {
  try {
    const table = readFileSync(places.table, "utf8");
    const known = new Set(readSentenceTable(table).flatMap(({ skills: labels }) => labels));
    const own = skills
      .filter(({ id, sentences }) => !known.has(id) && sentences.length > 0)
      .map(({ id, sentences }) => ({ id, sentences }));
    const isShared = ({ id, trigger }: TaughtBySentences): boolean => known.has(id) || trigger.topics.length > 0;
    return {
      shared: skills.some(isShared) ? await findModel({ table }, places.cache, log) : undefined,
      own: own.length > 0 ? await findModel({ table, own }, places.cache, log) : undefined,
    };
  } catch (error) {
    log.warn({ err: error }, "what skills are called for by cannot be learnt; they are found by keywords alone");
    return {};
  }
}

async function findModel(source: ModelSource, cache: string, log: Logger): Promise<LinearModel> {
  const name = nameModelFile(source);
  const ready = [import.meta.dirname, cache].map((folder) => readModel(join(folder, name))).find((model) => model);
  if (ready) return ready;
  const thread = startStoppableThread<ModelSource, Uint8Array>(new URL("build-worker.ts", import.meta.url), {
    heapMegabytes,
  });
  const answer = await thread.ask(source, { limitMs });
  await thread.end();
  if (answer.kind === "failed") throw answer.error;
  const model = answer.kind === "answered" ? decodeModel(answer.result) : undefined;
  if (answer.kind !== "answered" || !model) throw new Error("learning took too long");
  try {
    keepModel(cache, name, answer.result);
  } catch (error) {
    log.warn({ err: error }, "what was learnt about skills cannot be kept; it is learnt again after a restart");
  }
  return model;
}

function readModel(file: string): LinearModel | undefined {
  try {
    return decodeModel(readFileSync(file));
  } catch {
    // It is learnt instead.
    return undefined;
  }
}

/** Moved in one step. Files of former sentences go. */
function keepModel(cache: string, name: string, bytes: Uint8Array): void {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const beside = join(cache, `.${name}-${process.pid}`);
  writeFileSync(beside, bytes, { mode: 0o600 });
  renameSync(beside, join(cache, name));
  const [kind = ""] = name.split("-");
  const former = readdirSync(cache).filter((one) => one.startsWith(`${kind}-skills-`) && one !== name);
  for (const one of former) rmSync(join(cache, one), { force: true });
}

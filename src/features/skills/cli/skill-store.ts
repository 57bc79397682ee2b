import { userInfo } from "node:os";
import { createInterface } from "node:readline";
import { AppError } from "../../../core/errors.ts";
import { compareSkills, describeSkill } from "../store/describe-skill.ts";
import type { ExaminedSkill } from "../store/examine-skill.ts";
import { findNewestCommit } from "../store/read-git.ts";
import { toOrigin, type SkillStore } from "../store/skill-store.ts";
import {
  isRepositoryWithoutCommit,
  readSkillSource,
  writeSkillSource,
  type SkillSource,
} from "../store/skill-source.ts";
import type { VerifiedSkill } from "../store/verify-skills.ts";
import { lookForInstalled, lookForNeeds, writeNeeds, type LookForNeeds } from "./skill-needs.ts";
import { createGuardedFetch } from "../../../web/guarded-fetch.ts";
import { toTerminalLine, toTerminalText } from "../../../kernel/command-line/to-terminal-text.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";

/** `skills install`, `update`, `remove` and `verify`: the operator at the terminal approves. */

interface StoreOptions {
  readonly yes: boolean;
  readonly json: boolean;
  /** The folder inside of a source that holds the skill. */
  readonly path: string;
  /** Why an installed skill is off now; undefined if it is not. */
  readonly whyOff: (id: string) => string | undefined;
  readonly look: LookForNeeds;
}

/** Explains after an approval why the skill is still off, such as an unset variable. */
function tellOff(id: string, { whyOff }: StoreOptions): void {
  const problem = whyOff(id);
  if (problem !== undefined) print(`It is off until that is mended: ${toTerminalLine(problem)}`);
}

/** An archive may be 20 MB. */
const downloadMs = 120_000;

type Intact = Extract<VerifiedSkill, { readonly kind: "intact" }>;

export async function installSkill(store: SkillStore, written: string, options: StoreOptions): Promise<number> {
  const source = readSource(await addNewestCommit(store, written), options.path);
  const skill = await examine(store, source);
  if (store.verify().some(({ id }) => id === skill.id))
    throw refuse(`A skill ${skill.id} is installed already. See: ${kurisuCommand} skills update ${skill.id}`);
  print(describeSkill(skill, toOrigin(source), "en").join("\n"));
  await tellNeeds(skill, options);
  await askForYes(skill, "Install it?", options);
  const installed = store.install(skill, toOrigin(source), { approver: nameOperator() });
  if (!installed.ok) throw refuse(installed.problem);
  print(`Installed ${skill.id}. In each chat an owner is asked once before it is used there.`);
  tellOff(skill.id, options);
  return 0;
}

/** `written` = another source or a new commit; without it the newest commit, or the same folder or archive again. */
export async function updateSkill(
  store: SkillStore,
  id: string,
  written: string | undefined,
  options: StoreOptions,
): Promise<number> {
  const before = store.verify().find((skill) => skill.id === id);
  if (before === undefined) throw refuse(`No skill ${id} was installed.`);
  if (before.kind === "changed") throw refuse(`${id}: ${before.problem}.`);
  const source = await chooseUpdate(store, before, written, options.path);
  const skill = await examine(store, source);
  if (skill.id !== id) throw refuse(`That is the skill ${skill.id}, not ${id}.`);
  const differences = compareSkills(before.files, skill.files);
  if (differences.length === 0 && toOrigin(source).commit === before.locked.commit) {
    print(`${id} is the same there; nothing to do.`);
    return 0;
  }
  print(describeSkill(skill, toOrigin(source), "en").join("\n"));
  print(["", `What changes from ${before.locked.version} to ${skill.version}:`, ...differences].join("\n"));
  await tellNeeds(skill, options);
  await askForYes(skill, "Update it?", options);
  const installed = store.install(skill, toOrigin(source), { approver: nameOperator(), over: before.digest });
  if (!installed.ok) throw refuse(installed.problem);
  print(`Updated ${id}. Chats that use it are asked again.`);
  tellOff(id, options);
  return 0;
}

export function removeSkill(store: SkillStore, id: string): number {
  const removed = store.remove(id);
  if (!removed.ok) throw refuse(removed.problem);
  print(`Removed ${id}.`);
  return 0;
}

async function tellNeeds({ needs }: ExaminedSkill, { look }: StoreOptions): Promise<void> {
  const line = await lookForNeeds(needs, look);
  if (line !== undefined) print(toTerminalLine(line));
}

/**
 * Exit 1 if one of them is not as it was installed. Programs that the sandbox lacks for a skill are reported, and are
 * no failure.
 */
export async function verifyInstalled(store: SkillStore, { json, look }: StoreOptions): Promise<number> {
  const skills = store.verify();
  const needs = await lookForInstalled(skills, look);
  for (const skill of skills) {
    const { id } = skill;
    const problem = skill.kind === "changed" ? skill.problem : undefined;
    const missing = needs?.missing.get(id);
    const lack = missing === undefined ? "" : `, but the sandbox lacks ${writeNeeds(missing)}`;
    print(
      json
        ? JSON.stringify({
            id,
            ok: problem === undefined,
            ...(problem !== undefined && { problem }),
            ...(missing !== undefined && { missing }),
          })
        : `${problem === undefined ? "✓" : "✗"} ${id}${problem === undefined ? "" : `: ${toTerminalLine(problem)}`}${lack}`,
    );
  }
  if (needs?.note !== undefined && !json)
    print(
      `${needs.kind === "unchecked" ? "Not checked whether the sandbox has what they need: " : ""}${toTerminalLine(needs.note)}`,
    );
  if (skills.length === 0 && !json) print("No skill was installed.");
  return skills.some(({ kind }) => kind === "changed") ? 1 : 0;
}

async function chooseUpdate(store: SkillStore, { locked }: Intact, written: string | undefined, path: string) {
  const folder = path || locked.folder;
  if (written !== undefined && !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(written)) return readSource(written, folder);
  if (locked.kind === "written") throw refuse("She wrote this skill herself; it has no source to look at again.");
  if (locked.kind !== "git") return readSource(locked.source, folder);
  if (written !== undefined) return readSource(`${locked.source}@${written}`, folder);
  const newest = await findNewestCommit(locked.source, { quarantine: store.folder });
  if (!newest.ok) throw refuse(newest.problem);
  return readSource(`${locked.source}@${newest.commit}`, folder);
}

/** An address of a repository without a commit means its newest one, which the question then names and the lock keeps. */
async function addNewestCommit(store: SkillStore, written: string): Promise<string> {
  const address = written.trim();
  if (!isRepositoryWithoutCommit(address)) return written;
  const newest = await findNewestCommit(address, { quarantine: store.folder });
  if (!newest.ok) throw refuse(`${address}: ${newest.problem}`);
  return `${address}@${newest.commit}`;
}

function readSource(written: string, folder: string): SkillSource {
  const read = readSkillSource(written, { workingDirectory: process.cwd(), folder });
  if (!read.ok) throw new AppError("USAGE", read.problem);
  return read.source;
}

async function examine(store: SkillStore, source: SkillSource): Promise<ExaminedSkill> {
  const examined = await store.examine(source, { guardedFetch: createGuardedFetch({ timeoutMs: downloadMs }) });
  if (!examined.ok) throw refuse(`${writeSkillSource(source)}: ${examined.problem}`);
  return examined.skill;
}

/** Returns after the approval. A skill that the checks block needs its id typed in full, and nothing else will do. */
async function askForYes(skill: ExaminedSkill, question: string, { yes }: StoreOptions): Promise<void> {
  const blocked = skill.findings.some(({ blocks }) => blocks);
  if (yes && blocked) throw refuse("Not installed: --yes does not reach over what the checks found (✗).");
  if (yes) return;
  const wanted = blocked ? skill.id : "yes";
  const ask = blocked
    ? `The checks found what is known from bad skills (✗). Type ${skill.id} to take it all the same: `
    : `${question} Type yes: `;
  const answer = await readAnswer(ask);
  if (answer.trim() !== wanted) throw refuse("Not installed.");
}

/** Returns "" if there is no answer. */
function readAnswer(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise((resolve) => {
    terminal.on("close", () => resolve(""));
    terminal.question(question, (answer) => {
      resolve(answer);
      terminal.close();
    });
  });
}

function nameOperator(): string {
  return `cli:${userInfo().username}`;
}

function refuse(problem: string): AppError {
  return new AppError("SKILL_REFUSED", toTerminalText(problem));
}

function print(text: string): void {
  process.stdout.write(`${toTerminalText(text)}\n`);
}

import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import { buildInput } from "../../kernel/tools/plain-arguments.ts";
import { applySettings } from "../../kernel/tools/registry.ts";
import type { Tool } from "../../kernel/tools/types.ts";
import type { AskOwnTool } from "./ask-own-tool.ts";
import { admitOwnTool, declareOwnTool, findDeclaration, type OwnDeclaration } from "./declare-own-tool.ts";
import type { OwnToolFile } from "./read-own-tools.ts";
import { readToolsLock, timeOfToolsLock } from "./tools-lock.ts";

type State =
  | { readonly kind: "waiting" }
  | { readonly kind: "loading" }
  | { readonly kind: "faulty"; readonly problem: string; readonly retryAt: number; readonly tries: number }
  | { readonly kind: "ready"; readonly declaration: OwnDeclaration };

/**
 * The tools of config/tools: none is run, not even to read its declaration, before an owner has approved exactly its
 * content.
 */
export interface OwnTools {
  /** The same list for as long as nothing has changed. */
  tools(): readonly Tool[];
  /** Files without an approval. */
  waiting(): readonly OwnToolFile[];
  /** From now on this content may run. Returns the problem, if there is one. */
  admit(file: OwnToolFile, approver: string, date: string): Promise<string | undefined>;
  /** Waits until every file that may run has said what it is. */
  settle(): Promise<void>;
}

/** Milliseconds before a content that could not say what it is gets another try; each time twice as long. */
const firstRetryMs = 60_000;
const maxRetryMs = 3_600_000;

export function createOwnTools(parts: {
  /** The files of the current configuration. */
  readonly files: () => readonly OwnToolFile[];
  /** The data folder. */
  readonly home: string;
  readonly ask: AskOwnTool;
  /** As tools.yaml says. */
  readonly exclude: () => readonly string[];
  readonly options: () => Readonly<Record<string, Parameters<typeof applySettings>[1]>>;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
}): OwnTools {
  const { ask, clock, home, log } = parts;
  const make = (file: OwnToolFile): Tool => {
    const tool = toTool(file, states.get(keyOf(file)) ?? { kind: "waiting" }, ask);
    return applySettings(tool, parts.options()[file.name]);
  };
  const states = new Map<string, State>();
  const works = new Set<Promise<void>>();
  let seen: readonly OwnToolFile[] | undefined;
  let files: readonly OwnToolFile[] = [];
  let lockSeen = 0;
  let tools: readonly Tool[] = [];

  function current(): readonly Tool[] {
    const isWaiting = files.some((file) => states.get(keyOf(file))?.kind === "waiting");
    if (parts.files() !== seen) {
      seen = parts.files();
      files = seen.filter(({ name }) => !parts.exclude().includes(name));
      // A file has changed: what failed before may work now, and what is gone is forgotten.
      const kept = new Set(files.map(keyOf));
      for (const [key, { kind }] of states) if (kind === "faulty" || !kept.has(key)) states.delete(key);
      rebuild();
    } // The command line may have admitted one.
    else if (isWaiting && timeOfToolsLock(home) !== lockSeen) rebuild();
    else retry();
    return tools;
  }

  function rebuild(): void {
    lockSeen = timeOfToolsLock(home);
    const lock = readToolsLock(home);
    for (const file of files) {
      const isAdmitted = lock[file.name]?.digest === file.digest;
      if (!isAdmitted) states.set(keyOf(file), { kind: "waiting" });
      else if ((states.get(keyOf(file))?.kind ?? "waiting") === "waiting") load(file);
    }
    tools = files.map(make);
  }

  function retry(): void {
    for (const file of files) {
      const state = states.get(keyOf(file));
      if (state?.kind === "faulty" && state.retryAt <= clock.now()) load(file, state.tries);
    }
  }

  function load(file: OwnToolFile, tries = 0): void {
    const known = findDeclaration(home, file);
    if (known) return void states.set(keyOf(file), { kind: "ready", declaration: known });
    const loading: State = { kind: "loading" };
    states.set(keyOf(file), loading);
    const work = declareOwnTool(file, ask).then((declared) => {
      // In the meantime the file or its approval may have gone.
      if (states.get(keyOf(file)) !== loading) return;
      if (!declared.ok) log.error({ tool: file.name }, declared.problem);
      const wait = Math.min(firstRetryMs * 2 ** tries, maxRetryMs);
      const next: State = declared.ok
        ? { kind: "ready", declaration: declared.declaration }
        : { kind: "faulty", problem: declared.problem, retryAt: clock.now() + wait, tries: tries + 1 };
      states.set(keyOf(file), next);
      tools = files.map(make);
    });
    const ended = work.finally(() => works.delete(ended));
    works.add(ended);
  }

  async function settle(): Promise<void> {
    current();
    while (works.size > 0) await Promise.all(works);
  }

  return {
    tools: current,
    waiting() {
      current();
      return files.filter((file) => states.get(keyOf(file))?.kind === "waiting");
    },
    async admit(file, approver, date) {
      const problem = await admitOwnTool(file, { home, ask, approver, date });
      rebuild();
      await settle();
      return problem;
    },
    settle,
  };
}

const keyOf = ({ name, digest }: OwnToolFile): string => `${name} ${digest}`;

function toTool(file: OwnToolFile, state: State, ask: AskOwnTool): Tool {
  const { name, digest } = file;
  const declaration = state.kind === "ready" ? state.declaration : undefined;
  const description = declaration?.description ?? { zh: "", en: "" };
  const tool = defineTool({
    name,
    description,
    // Before it is known what it takes, a call shall hear that it is not there yet.
    input: declaration ? buildInput(declaration.arguments) : z.looseObject({}),
    level: "confirm",
    readOnly: false,
    idempotent: false,
    place: "gateway",
    summarize: (input) => JSON.stringify(input),
    detail: (input) => `config/tools/${name}.ts (SHA-256 ${digest.slice(0, 12)})\n${JSON.stringify(input, null, 2)}`,
    availability: () => (state.kind === "ready" ? { ok: true } : { ok: false, reason: describeState(file, state) }),
    // An approval is for this content.
    binding: async () => digest,
    async run(input, { signal }) {
      const answer = await ask(file, { input, signal });
      if (answer.ok) return { ok: true, output: answer.value };
      const place = answer.place === undefined ? "" : ` (config/tools/${name}.ts:${answer.place})`;
      return { ok: false, error: `${answer.error}${place}` };
    },
  });
  return { ...tool, source: "file" } as Tool;
}

function describeState({ name }: OwnToolFile, state: Exclude<State, { kind: "ready" }>): string {
  switch (state.kind) {
    case "waiting":
      return `config/tools/${name}.ts waits for an owner's yes to its content: ask Kurisu to use it (use_tool).`;
    case "loading":
      return `config/tools/${name}.ts is being loaded.`;
    case "faulty":
      return state.problem;
  }
}

import type { Logger } from "pino";
import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { buildInput, plainArguments } from "../plain-arguments.ts";
import { describedText } from "../tool-options.ts";
import { applySettings } from "../registry.ts";
import type { Tool } from "../types.ts";
import type { AskOwnTool } from "./ask-own-tool.ts";
import type { OwnToolFile } from "./read-own-tools.ts";
import { readToolsLock, timeOfToolsLock, writeToolsLock } from "./tools-lock.ts";

/** What the default export of a file says beside `run`. */
const declarationSchema = z.strictObject({
  description: describedText,
  arguments: plainArguments,
});

type State =
  | { readonly kind: "waiting" }
  | { readonly kind: "loading" }
  | { readonly kind: "faulty"; readonly problem: string }
  | { readonly kind: "ready"; readonly declaration: z.output<typeof declarationSchema> };

/** The tools of config/tools: none is run, not even to ask what it is, before an owner has said yes to exactly its content. */
export interface OwnTools {
  /** The same list for as long as nothing has changed. */
  tools(): readonly Tool[];
  /** Files that no yes was given to. */
  waiting(): readonly OwnToolFile[];
  /** From now on this content may run. Answers what is wrong with it, if anything is. */
  admit(file: OwnToolFile, approver: string, date: string): Promise<string | undefined>;
  /** Waits until every file that may run has said what it is. */
  settle(): Promise<void>;
}

const loadMs = 10_000;

export function createOwnTools(parts: {
  /** Those of the configuration as of now. */
  readonly files: () => readonly OwnToolFile[];
  /** The data folder. */
  readonly home: string;
  readonly ask: AskOwnTool;
  /** As tools.yaml says. */
  readonly exclude: readonly string[];
  readonly options: Readonly<Record<string, Parameters<typeof applySettings>[1]>>;
  readonly log: Pick<Logger, "error">;
}): OwnTools {
  const { home, exclude, log } = parts;
  const make = (file: OwnToolFile): Tool => {
    const tool = toTool(file, states.get(keyOf(file)) ?? { kind: "waiting" }, parts.ask);
    return applySettings(tool, parts.options[file.name]);
  };
  const states = new Map<string, State>();
  const loading = new Set<Promise<void>>();
  let seen: readonly OwnToolFile[] | undefined;
  let files: readonly OwnToolFile[] = [];
  let lockSeen = 0;
  let tools: readonly Tool[] = [];

  function current(): readonly Tool[] {
    const isWaiting = files.some((file) => states.get(keyOf(file))?.kind === "waiting");
    // The command line may have admitted one.
    if (parts.files() !== seen || (isWaiting && timeOfToolsLock(home) !== lockSeen)) {
      seen = parts.files();
      files = seen.filter(({ name }) => !exclude.includes(name));
      rebuild();
    }
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

  function load(file: OwnToolFile): void {
    states.set(keyOf(file), { kind: "loading" });
    const work = parts.ask(file, { signal: AbortSignal.timeout(loadMs) }).then((answer) => {
      const parsed = answer.ok ? declarationSchema.safeParse(answer.value) : undefined;
      const problem = answer.ok
        ? parsed?.error && `${file.file}:1:1 ${z.prettifyError(parsed.error).split("\n").join(" ")}`
        : `${file.file}:${answer.place ?? "1:1"} ${answer.error}`;
      if (problem !== undefined) log.error({ tool: file.name }, problem);
      const next: State = parsed?.success
        ? { kind: "ready", declaration: parsed.data }
        : { kind: "faulty", problem: problem ?? "" };
      states.set(keyOf(file), next);
      tools = files.map(make);
    });
    const ended = work.finally(() => loading.delete(ended));
    loading.add(ended);
  }

  async function settle(): Promise<void> {
    current();
    while (loading.size > 0) await Promise.all(loading);
  }

  return {
    tools: current,
    waiting() {
      current();
      return files.filter((file) => states.get(keyOf(file))?.kind === "waiting");
    },
    async admit(file, approver, date) {
      writeToolsLock(home, { ...readToolsLock(home), [file.name]: { digest: file.digest, approver, date } });
      rebuild();
      await settle();
      const state = states.get(keyOf(file));
      return state?.kind === "faulty" ? state.problem : undefined;
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
    // A yes is for this content.
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

import { once } from "node:events";
import { AppError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { formatIso } from "../../core/schedule/zoned-time.ts";
import { exportPerson } from "../erase/export-person.ts";
import { listMemories } from "./people/list-memories.ts";
import { recallMemories } from "./people/recall-memories.ts";
import { findMemoryScope, type MemoryScope } from "./scope.ts";
import type { Memory } from "./queries/memories.ts";
import type { Store } from "../../store/open-store.ts";
import { readOptions } from "../../kernel/command-line/read-options.ts";
import { toTerminalLine } from "../../kernel/command-line/to-terminal-text.ts";
import type { CommandContext, LoadedCommand } from "../../kernel/command-line/command.ts";
import type { ErasePersonRequest } from "../erase/erase-as-operator.ts";
import type { ForgetMemoryRequest } from "./forget-as-operator.ts";

const defaultLimit = 20;
const maxLimit = 1_000;
const self = "cli:owner";

const help = `${kurisuCommand} memory list | recall WORDS | forget NUMBER | forget --all | export  [--person PERSON] [--limit N] [--json]

What she remembers of one person, on all their linked accounts: the newest first, or what fits the words. PERSON is an
account such as telegram:123; without it, whoever talks to her in this terminal (${self}). forget deletes one
memory with its older versions for good; with --all everything there is of the person, their words in chats, too. export
writes everything that is kept of them as one JSON text. Who runs this owns the data folder, so nobody is asked.`;

export const memoryCommand: LoadedCommand<CommandContext> = {
  help,
  async run(context) {
    const { values, positionals } = readOptions("memory", context.arguments, {
      all: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      limit: { type: "string", default: String(defaultLimit) },
      person: { type: "string", default: self },
    });
    const [action = "list", ...rest] = positionals;
    const limit = Number(values.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit || !/^[^:\s]+:\S+$/.test(values.person))
      throw new AppError("USAGE", help);
    const asked = { person: values.person, json: values.json, limit };
    if (action === "list" && rest.length === 0)
      return show(context, asked, (store, scope) => listMemories(store.main, scope, { limit }));
    if (action === "recall" && rest.length > 0)
      return show(context, asked, (store, scope) =>
        recallMemories(store.main, scope, rest.join(" "), { limit, now: Date.now() }),
      );
    if (action === "export" && rest.length === 0) return exportAll(context, asked.person);
    if (action === "forget" && values.all && rest.length === 0) return forgetAll(context, asked);
    const [number = "", ...others] = rest;
    if (action !== "forget" || others.length > 0 || !/^#?\d{1,15}$/.test(number)) throw new AppError("USAGE", help);
    const memory = Number(number.replace("#", ""));
    const asking: ForgetMemoryRequest = { kind: "forget-memory", person: values.person, memory };
    const count = Number(await context.askKurisu(asking));
    process.stdout.write(
      values.json ? `${JSON.stringify({ forgotten: memory, memories: count })}\n` : `forgotten: ${count}\n`,
    );
    return 0;
  },
};

async function show(
  context: CommandContext,
  { json, person }: { readonly person: string; readonly json: boolean },
  read: (store: Store, scope: MemoryScope) => Promise<readonly Memory[]>,
): Promise<number> {
  const { persona, zone } = context.configuration();
  const store = await context.openStore();
  try {
    const asker = {
      person: { id: person, name: person },
      session: "",
      chatKind: "private",
      persona: persona.id,
    } as const;
    const scope = await findMemoryScope(store.main, asker);
    const found = await read(store, scope);
    if (found.length === 0 && !json) {
      const isEmpty = (await listMemories(store.main, scope, { limit: 1 })).length === 0;
      const told = isEmpty
        ? `Nothing is remembered of ${person}.`
        : "None fits these words; memory list shows them all.";
      process.stdout.write(`${told}\n`);
    }
    for (const memory of found)
      process.stdout.write(`${json ? JSON.stringify(toJson(memory, zone)) : toLine(memory, zone)}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

function toJson(
  { category, content, id, origin, person, pinned, place, taint, validFrom, value }: Memory,
  zone: string,
) {
  const since = formatIso(validFrom, zone);
  const where = place === "" ? "private" : place;
  return { id, person, where, category, content, ...(value !== null && { value }), since, origin, taint, pinned };
}

function toLine({ category, content, id, origin, person, pinned, place, validFrom }: Memory, zone: string): string {
  const since = formatIso(validFrom, zone).slice(0, 10);
  const where = place === "" ? person : `${person} in ${place}`;
  const marks = [category, origin, ...(pinned ? ["pinned"] : [])].join(", ");
  return `#${id}  ${since}  ${toTerminalLine(content)}  (${toTerminalLine(where)}; ${marks})`;
}

async function exportAll(context: CommandContext, person: string): Promise<number> {
  const store = await context.openStore();
  try {
    for await (const piece of exportPerson(store, person, Date.now()))
      if (!process.stdout.write(piece)) await once(process.stdout, "drain");
    return 0;
  } finally {
    await store.close();
  }
}

async function forgetAll(
  context: CommandContext,
  { json, person }: { readonly person: string; readonly json: boolean },
): Promise<number> {
  const counts = await context.askKurisu<ErasePersonRequest>({ kind: "erase-person", person });
  const told = Object.entries(JSON.parse(counts) as Readonly<Record<string, number>>);
  const lines = told.map(([kind, count]) => `${kind}: ${count}`).join("\n");
  process.stdout.write(json ? `${counts}\n` : `${lines === "" ? "There was nothing to forget." : lines}\n`);
  return 0;
}

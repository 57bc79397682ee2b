import { once } from "node:events";
import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { formatIso } from "../core/schedule/zoned-time.ts";
import { connectControlSocket } from "../kernel/socket/control-socket.ts";
import { exportPerson } from "../features/erase/export-person.ts";
import { listMemories } from "../features/memory/people/list-memories.ts";
import { recallMemories } from "../features/memory/people/recall-memories.ts";
import { findMemoryScope, type MemoryScope } from "../features/memory/scope.ts";
import { tables } from "../assembly/features.ts";
import { openStore } from "../store/open-store.ts";
import type { Memory } from "../features/memory/queries/memories.ts";
import type { Store } from "../store/open-store.ts";
import { createControlClient } from "./chat-connection.ts";
import { readOptions } from "./read-options.ts";
import { toTerminalLine } from "./terminal/terminal-text.ts";
import type { Command, CommandContext, Kurisu } from "./types.ts";

const defaultLimit = 20;
const maxLimit = 1_000;
const self = "cli:owner";

const help = `${kurisuCommand} memory list | recall WORDS | forget NUMBER | forget --all | export  [--person PERSON] [--limit N] [--json]

What she remembers of one person, on all their linked accounts: the newest first, or what fits the words. PERSON is an
account such as telegram:123; without it, whoever talks to her in this terminal (${self}). forget deletes one
memory with its older versions for good; with --all everything there is of the person, their words in chats, too. export
writes everything that is kept of them as one JSON text. Who runs this owns the data folder, so nobody is asked.`;

export const memoryCommand: Command = {
  name: "memory",
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
    const count = await forget(context, values.person, memory);
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
  const { home, persona, store: place, zone } = context.configuration();
  const store = await openStore({ home, ...place }, tables);
  try {
    const asker = {
      person: { id: person, name: person },
      session: "",
      chatKind: "private",
      persona: persona.id,
    } as const;
    const found = await read(store, await findMemoryScope(store.main, asker));
    if (found.length === 0 && !json) {
      const scope = await findMemoryScope(store.main, asker);
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
  const { home, store: place } = context.configuration();
  const store = await openStore({ home, ...place }, tables);
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
  const counts = await asOperator(
    context,
    (ask) => ask((id) => ({ kind: "erase-person", id, person })),
    async ({ erasePerson }) => JSON.stringify(await erasePerson(person, self)),
  );
  const told = Object.entries(JSON.parse(counts) as Readonly<Record<string, number>>);
  const lines = told.map(([kind, count]) => `${kind}: ${count}`).join("\n");
  process.stdout.write(json ? `${counts}\n` : `${lines === "" ? "There was nothing to forget." : lines}\n`);
  return 0;
}

async function forget(context: CommandContext, person: string, memory: number): Promise<number> {
  const count = await asOperator(
    context,
    (ask) => ask((id) => ({ kind: "forget-memory", id, person, memory })),
    async ({ forgetMemory }) => String(await forgetMemory({ account: person, memory, by: self })),
  );
  return Number(count);
}

/** By the Kurisu that runs, else by one that is put together for it. */
async function asOperator(
  context: CommandContext,
  byOther: (ask: ReturnType<typeof createControlClient>["ask"]) => Promise<string>,
  byOwn: (kurisu: Kurisu) => Promise<string>,
): Promise<string> {
  const configuration = context.configuration();
  const socket = await connectControlSocket(configuration.home);
  if (socket) {
    const client = createControlClient(socket, () => undefined);
    try {
      return await byOther(client.ask);
    } finally {
      socket.destroy();
    }
  }
  const kurisu = await context.assemble(configuration, { purpose: "memory", quiet: true });
  try {
    return await byOwn(kurisu);
  } finally {
    await kurisu.stop();
  }
}

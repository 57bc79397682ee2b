import type { ConversationMessage } from "../../core/conversation.ts";
import { setImmediate } from "node:timers/promises";
import type { Store } from "../../store/open-store.ts";
import { findTurns, isTheirPart } from "./queries/erase-talk.ts";
import { findHuman, listOwnImports, listPrivateSessions } from "./queries/find-human.ts";
import { type PersonKeys, readRows } from "./queries/find-rows.ts";
import type { TableName } from "../../store/tables/person-table.ts";

const page = 500;

/**
 * Everything that is kept about the human with this account, as the pieces of one JSON text (docs/memory.md has its
 * shape): page by page, so that it is never in memory as a whole. It holds nothing that others said.
 */
export async function* exportPerson(
  store: Pick<Store, "engine" | "main" | "personTables">,
  account: string,
  now: number,
): AsyncGenerator<string> {
  const human = await findHuman(store.main, account);
  const { accounts, humans } = human;
  const chats = await listPrivateSessions(store.main, accounts);
  const keys: PersonKeys = { accounts, humans, chats, imports: await listOwnImports(store.main, accounts) };
  const turns: PersonKeys[] = [];
  for (let after: string | undefined = ""; after !== undefined;) {
    const found = await findTurns(store.main, human, { after, before: now, most: page, living: true });
    if (found.turns.length > 0) turns.push(await withQuestions(store, found.turns));
    after = found.next;
    await setImmediate();
  }
  const head = { format: "kurisu-person", version: 1, at: new Date(now).toISOString(), accounts, chats };
  yield `${JSON.stringify(head).slice(0, -1)},"tables":{`;
  for (const [index, table] of (Object.keys(store.personTables) as TableName[]).filter(isExported).entries()) {
    yield `${index === 0 ? "" : ","}\n${JSON.stringify(table)}:[`;
    let first = true;
    for await (const row of readTable(table)) {
      yield `${first ? "" : ","}\n${JSON.stringify(row)}`;
      first = false;
    }
    yield "]";
  }
  yield "}}\n";

  function isExported(table: TableName): boolean {
    const { exported, found } = store.personTables[table];
    return exported !== false && found.length > 0;
  }

  async function* readTable(table: TableName): AsyncGenerator<Readonly<Record<string, unknown>>> {
    for (const [wanted, but] of [[keys, undefined] as const, ...turns.map((some) => [some, keys] as const)]) {
      for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        const query = { table, keys: wanted, after, most: page, ...(but && { but }) };
        const { last, rows } = await readRows(store.main, store, query);
        for (const row of rows) {
          if (table !== "messages") yield row;
          else if (isTheirPart(human, String(row["content"]), but ? "group" : "private")) yield withoutKept(row);
        }
        after = last;
        await setImmediate();
      }
    }
  }
}

/** A provider's own data about an answer is for that provider alone. */
function withoutKept(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { kept, ...message } = JSON.parse(String(row["content"])) as ConversationMessage & { readonly kept?: unknown };
  return kept === undefined ? row : { ...row, content: JSON.stringify(message) };
}

async function withQuestions({ main }: Pick<Store, "main">, turns: readonly string[]): Promise<PersonKeys> {
  const rows = await main.selectFrom("questions").select("id").where("turn", "in", turns).execute();
  return { turns, questions: rows.map(({ id }) => id) };
}

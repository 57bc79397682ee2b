import { join } from "node:path";
import { expect, it } from "vitest";
import { file, onlyIn, readSources, type SourceRule } from "../../support/source-rules.ts";

const isSource = (path: string): boolean => path.startsWith("src/");
const isStore = (path: string): boolean =>
  path.startsWith("src/store/") || /^src\/features\/[\w-]+\/(?:queries\/|tables\.ts$)/.test(path) || !isSource(path);

/** Rows about people and of the chat log are read in the store and in queries of features alone, for somebody who has a scope from one of two places. */
const readByScope: SourceRule = (all) => [
  ...onlyIn(
    "reads rows about people or of the chat log by itself",
    /\b(?:selectFrom|innerJoin|leftJoin)\(\s*"(?:memories|memory_terms|log_messages|log_chats)\b|\b(?:from|join)\s+(?:memories|memory_terms|log_messages|log_chats|log_search)\b/,
    isStore,
  )(all),
  ...onlyIn(
    "finds chats of the log around its scope",
    /\bfindLogChats\s*\(/,
    // The second finds sentences of the very conversation that goes on, which is in the prompt anyway.
    (path) => isStore(path) || ["src/features/chatlog/log-scope.ts", "src/features/memory/recall.ts"].includes(path),
  )(all),
  ...all
    .filter(
      ({ path, text }) =>
        isSource(path) &&
        !isStore(path) &&
        /import \{[^}]*\}[^;]*queries\/(?:memories|memory-events|write-memories)\.ts"/.test(text),
    )
    .filter(
      ({ text }) =>
        !/\b(?:MemoryScope|findMemoryScope|findScope|import type \{ Memory|import \{ type Memory)\b/.test(text),
    )
    .map(({ path }) => `${path}: reads memories without a scope of features/memory/scope.ts`),
];

const bad = [
  file("src/kernel/tools/a.ts", 'await db.selectFrom("memories").selectAll().execute();'),
  file("src/kernel/agent/a.ts", "sql`select text from log_messages m`;"),
  file("src/kernel/a.ts", "const chats = await findLogChats(db, { readers });"),
  file("src/kernel/tools/b.ts", 'import { listActive } from "../../features/memory/queries/memories.ts";'),
  file("src/kernel/tools/c.ts", 'import { eraseMemories } from "../../features/memory/queries/write-memories.ts";'),
  file("src/kernel/tools/d.ts", 'import { listMemoryEvents } from "../../features/memory/queries/memory-events.ts";'),
];
const good = [
  file("src/store/queries/a.ts", 'db.selectFrom("log_messages");'),
  file("src/features/chatlog/log-scope.ts", "await findLogChats(db, { readers });"),
  file(
    "src/features/memory/a.ts",
    'import { listActive } from "../../features/memory/queries/memories.ts";\nlet scope: MemoryScope;',
  ),
];

it("nobody reads memories and the chat log around features/memory/scope.ts and log-scope.ts", () => {
  for (const one of bad) expect(readByScope([one]), `in ${one.path}`).toHaveLength(1);
  expect(readByScope(good)).toEqual([]);
  expect(readByScope(readSources(join(import.meta.dirname, "../../.."), ["src"]))).toEqual([]);
});

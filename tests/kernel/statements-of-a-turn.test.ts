import { expect, it, onTestFinished } from "vitest";
import { createTimeTool } from "../../src/kernel/tools/builtin/time.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import { countStatements } from "../support/count-statements.ts";
import { TestGateway } from "../support/gateway.ts";

/** The most that a message at a person's pace may cost on SQLite, BEGIN and COMMIT counted: docs/performance.md. */
const limits = [
  { what: "a hello", before: [], says: "今天也辛苦了", statements: 46, commits: 4, checkpoints: 0 },
  { what: "a turn with a tool", before: [], says: "几点了", statements: 78, commits: 10, checkpoints: 12 },
  { what: "a call that needs approval", before: [], says: "poke it", statements: 80, commits: 7, checkpoints: 8 },
  { what: "an approval", before: ["poke it"], says: "确认", statements: 90, commits: 12, checkpoints: 19 },
] as const;

it.each(limits)(
  "$what costs at most $statements statements and $commits commits",
  async ({ before, says, statements, commits, checkpoints }) => {
    const counts = countStatements();
    const kurisu = new TestGateway({
      memory: { extract: { model: true } },
      tools: [createTimeTool({ defaultZone: "Asia/Shanghai" }) as Tool],
    });
    onTestFinished(() => kurisu.dispose());
    const { permissions } = kurisu.rules.current;
    const safe = [...(permissions.safe ?? []), "time"];
    kurisu.rules.current = { ...kurisu.rules.current, permissions: { ...permissions, safe } };
    kurisu.model.script = ({ results, text }) => {
      if (results.length > 0) return { text: "好的，我知道了。" };
      if (text.includes("几点")) return { calls: [{ name: "time", arguments: {} }] };
      return text.includes("poke") ? { calls: [{ name: "poke", arguments: { what: "it" } }] } : { text: "好的。" };
    };
    await kurisu.start();
    for (const earlier of ["你好", ...before]) await kurisu.say(earlier);
    counts.reset();
    await kurisu.say(says);
    // The test itself looks whether everything has come to rest.
    const main = counts.main.filter((sql) => !isLookOfTest(sql));
    expect(main.length + counts.checkpoints.length).toBeLessThanOrEqual(statements);
    expect(counts.commits).toBeLessThanOrEqual(commits);
    expect(counts.checkpoints.length).toBeLessThanOrEqual(checkpoints);
  },
);

function isLookOfTest(sql: string): boolean {
  return /^select "id" from "inbox" where "state" in|^select "session", "not_before" from "outbox"/.test(sql);
}

import { expect, it, onTestFinished } from "vitest";
import { createTimeTool } from "../../src/kernel/tools/builtin/time.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import { countStatements } from "../support/count-statements.ts";
import { TestGateway } from "../support/gateway.ts";

/** The most that a turn at a person's pace may cost on SQLite, BEGIN and COMMIT counted: docs/performance.md. */
const limits = [
  { says: "今天也辛苦了", statements: 54, commits: 4, checkpoints: 0 },
  { says: "几点了", statements: 85, commits: 10, checkpoints: 12 },
] as const;

it.each(limits)(
  "a turn for $says costs at most $statements statements and $commits commits",
  async ({ says, statements, commits, checkpoints }) => {
    const counts = countStatements();
    const kurisu = new TestGateway({
      memory: { extract: { model: true } },
      tools: [createTimeTool({ defaultZone: "Asia/Shanghai" }) as Tool],
    });
    onTestFinished(() => kurisu.dispose());
    kurisu.rules.current = { permissions: { safe: ["time"], confirm: [], deny: [] }, rules: [], exclude: [] };
    kurisu.model.script = ({ results, text }) =>
      text.includes("几点") && results.length === 0
        ? { calls: [{ name: "time", arguments: {} }] }
        : { text: "好的，我知道了。" };
    await kurisu.start();
    await kurisu.say("你好");
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

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import {
  callTools,
  modelKey,
  resultsOfThisTurn,
  startScriptedModel,
} from "../support/kurisu-process/scripted-model.ts";

interface Trace {
  readonly call: string;
  readonly tool: string;
  readonly argument: string;
  readonly level: string | null;
  readonly verdict: string;
  readonly status: string;
  readonly message?: string;
  readonly ms: number;
  readonly code: string;
  readonly bytes: number;
}

test("every call leaves one line in the log and its row in the audit, and no secret in either", async () => {
  const folder = createKurisuFolder({ "system/tools.yaml": "permissions: { deny: [shell] }\n" });
  const { environment } = await startScriptedModel((request) =>
    resultsOfThisTurn(request).length > 0
      ? undefined
      : callTools(
          { name: "time", arguments: { at: "2026-11-22" } },
          { name: "file_read", arguments: { path: `/workspace/${modelKey}/none.txt` } },
          { name: "shell", arguments: { command: "true" } },
          { name: "file_write", arguments: { path: "a.txt", content: modelKey } },
          { name: `take ${modelKey}`, arguments: {} },
        ),
  );
  const asked = await runOnce("看看", { folder, environment });
  expect(asked.code).toBe(3);
  expect((await runOnce("取消", { folder, environment })).code).toBe(0);

  const log = readFileSync(join(folder.home, "kurisu.log"), "utf8");
  const lines = log
    .split("\n")
    .filter((line) => line.includes('"a call ended"'))
    .map((line) => JSON.parse(line) as Trace);
  const rows = await lookIntoStore(
    folder,
    `select action, call, coalesce((select detail from audit_texts where digest = audit.detail ->> '$.private'), detail) as detail
      from audit where action like 'tool.%' order by call`,
  );
  const audited = rows.map((row) => ({ ...(JSON.parse(String(row["detail"])) as Trace), call: String(row["call"]) }));
  const about = ({ call, tool, argument, level, verdict, status, code }: Trace) => [
    call,
    tool,
    argument,
    level,
    verdict,
    status,
    code,
  ];
  const expected = [
    ["1.1", "time", "2026-11-22", "safe", "allow", "done", "ok"],
    ["1.2", "file_read", "[secret]/none.txt", "safe", "allow", "failed", "failed"],
    ["1.3", "shell", "true", "deny", "deny", "denied", "denied"],
    ["1.4", "file_write", "a.txt", "confirm", "ask", "denied", "rejected"],
    ["1.5", "take [secret]", "", null, "deny", "denied", "denied"],
  ];
  expect(lines.toSorted((a, b) => a.call.localeCompare(b.call)).map(about)).toEqual(expected);
  expect(audited.map(about)).toEqual(expected);
  const [time] = lines.filter(({ tool }) => tool === "time");
  expect(time?.message, "what the tool says to the log").toMatch(/^2026-11-22T/);
  for (const { ms, bytes } of [...lines, ...audited]) {
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(bytes).toBeGreaterThan(0);
  }
  expect(log).not.toContain(modelKey);
  expect(JSON.stringify(rows)).not.toContain(modelKey);
});

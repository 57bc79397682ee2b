// quick: one start of the program, and the only test of the names that dashboards are built on
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startApiStory } from "../support/kurisu-process/api-story.ts";
import { callTools, lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
}

test("/metrics counts a turn with a tool and an approval, and has every metric of the dashboard and of the documents", async () => {
  const story = await startApiStory({
    script: (request) =>
      lastWords(request) === "写一行" && resultsOfThisTurn(request).length === 0
        ? callTools(
            { name: "time", arguments: {} },
            { name: "file_write", arguments: { path: "effect.txt", content: "El Psy Kongroo\n" } },
          )
        : undefined,
  });
  const kurisu = await story.start();
  const look = async () => (await fetch(`${kurisu.url}/metrics`)).text();
  await look();
  await story.ask("写一行");
  await story.ask("确认");
  const page = await look();

  const lines = page.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  for (const line of [
    'kurisu_turns_total{outcome="asks"} 1',
    'kurisu_turns_total{outcome="replied"} 1',
    "kurisu_turns_running 0",
    'kurisu_turn_duration_seconds_bucket{outcome="asks",le="+Inf"} 1',
    'kurisu_turn_duration_seconds_count{outcome="replied"} 1',
    "kurisu_first_view_seconds_count 2",
    'kurisu_model_requests_total{model="openai:test",outcome="answered"} 2',
    'kurisu_tool_calls_total{level="safe",outcome="ok"} 1',
    'kurisu_tool_calls_total{level="confirm",outcome="ok"} 1',
    'kurisu_approvals_total{state="asked"} 1',
    'kurisu_approvals_total{state="approved"} 1',
    'kurisu_approval_open_seconds_count{state="approved"} 1',
    "kurisu_inbox_waiting_conversations 0",
    "kurisu_inbox_waiting_seconds 0",
    "kurisu_paused 0",
    "kurisu_outbox_pending 0",
    "kurisu_store_faults_total 0",
  ])
    expect(lines).toContain(line);
  expect(Number(valueOf(lines, 'kurisu_model_tokens_total{model="openai:test",direction="input"}'))).toBeGreaterThan(0);
  expect(Number(valueOf(lines, "process_resident_memory_bytes"))).toBeGreaterThan(1_000_000);
  expect(page).not.toContain("Kongroo");
  expect(page).not.toContain("file_write");

  const samples = new Set(lines.map((line) => /^\w+/.exec(line)?.[0]));
  const { panels, templating } = JSON.parse(read("packaging/grafana/kurisu.json")) as Dashboard;
  const asked = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(?:kurisu|nodejs|process)_\w+/g)),
  );
  expect(asked.length).toBeGreaterThan(panels.length);
  expect(asked.filter((name) => name === null || !samples.has(name))).toEqual([]);
  expect(templating.list).toMatchObject([{ name: "datasource", type: "datasource" }]);

  const documented = ["docs/reference/telemetry.md", "docs/scale.md"].map(read).join("\n");
  const named = [...page.matchAll(/^# TYPE (\w+) /gm)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(20);
  expect(new Set(named).size, "no metric is listed twice").toBe(named.length);
  expect(named.filter((name) => !new RegExp(`\`${name}(?:\\{[\\w,]+\\})?\``).test(documented))).toEqual([]);
});

const valueOf = (lines: readonly string[], name: string): string | undefined =>
  lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);

import { Hono } from "hono";
import { expect, it } from "vitest";
import type { HttpRoutes } from "../../src/channels/http-routes.ts";
import { createVoiceCounts } from "../../src/core/persona/voice-counts.ts";
import { mountMetrics } from "../../src/kernel/http/mount-metrics.ts";
import { mountWorkMetrics, type WorkMeasures } from "../../src/kernel/http/mount-work-metrics.ts";

function openMetrics(headers: Readonly<Record<string, string>> = {}, measures?: WorkMeasures) {
  const app: HttpRoutes["app"] = new Hono();
  const counts = createVoiceCounts({ now: () => 0 });
  mountMetrics({ app }, counts.list);
  if (measures) mountWorkMetrics({ app }, measures);
  const incoming = {
    httpVersion: "1.1",
    headers: { host: "127.0.0.1:8080", ...headers },
    socket: { remoteAddress: "127.0.0.1" },
  };
  return { counts, read: async () => app.request("/metrics", {}, { incoming }) };
}

it("counts what became of each model's drafts", async () => {
  const { counts, read } = openMetrics();
  counts.judged("openai:gpt-5", []);
  counts.judged("openai:gpt-5", ["lecture", "assistant-ese"]);
  counts.enforced("cli:default", "openai:gpt-5", { kind: "ok", text: "好。", removed: ["lecture", "assistant-ese"] });
  counts.judged('local:a"b', ["lecture"]);
  counts.enforced("cli:default", 'local:a"b', { kind: "ask-again", instruction: "", shown: "", kinds: ["lecture"] });
  counts.judged('local:a"b', ["empty"]);
  counts.enforced("cli:default", 'local:a"b', { kind: "ok", text: "……", removed: ["empty"], fellBack: true });
  const lines = (await (await read()).text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines).toEqual([
    'kurisu_drafts_total{model="openai:gpt-5"} 2',
    String.raw`kurisu_drafts_total{model="local:a\"b"} 2`,
    'kurisu_drafts_broken_total{model="openai:gpt-5"} 1',
    String.raw`kurisu_drafts_broken_total{model="local:a\"b"} 2`,
    'kurisu_breaks_total{model="openai:gpt-5",kind="lecture"} 1',
    'kurisu_breaks_total{model="openai:gpt-5",kind="assistant-ese"} 1',
    String.raw`kurisu_breaks_total{model="local:a\"b",kind="lecture"} 1`,
    String.raw`kurisu_breaks_total{model="local:a\"b",kind="empty"} 1`,
    'kurisu_drafts_stripped_total{model="openai:gpt-5"} 1',
    String.raw`kurisu_drafts_stripped_total{model="local:a\"b"} 0`,
    'kurisu_drafts_rewritten_total{model="openai:gpt-5"} 0',
    String.raw`kurisu_drafts_rewritten_total{model="local:a\"b"} 1`,
    'kurisu_drafts_replaced_total{model="openai:gpt-5"} 0',
    String.raw`kurisu_drafts_replaced_total{model="local:a\"b"} 1`,
  ]);
});

it("tells nothing to a request that a proxy passed on", async () => {
  const { read } = openMetrics({ "x-forwarded-for": "203.0.113.9" });
  expect((await read()).status).toBe(403);
});

it("lists the work of a process below the drafts, and goes on without a database", async () => {
  const held = { nodes: 3, sessions: 2, taken: 5, takenAfterSilence: 1, lost: 1, silentMs: 1_500 };
  const valuesOf = async (waiting: WorkMeasures["waiting"]) => {
    const { counts, read } = openMetrics({}, { waiting, cluster: () => held });
    counts.judged("openai:gpt-5", []);
    return (await (await read()).text()).split("\n").filter((line) => line !== "" && !/^#|_drafts_/.test(line));
  };
  const cluster = [
    "kurisu_cluster_nodes 3",
    "kurisu_sessions_held 2",
    'kurisu_claims_taken_total{after_silence="true"} 1',
    'kurisu_claims_taken_total{after_silence="false"} 4',
    "kurisu_claims_lost_total 1",
    "kurisu_heartbeat_age_seconds 1.5",
  ];
  expect(await valuesOf(async () => ({ isPaused: true, outbox: 4, conversations: 3, oldestMs: 2_500 }))).toEqual([
    "kurisu_paused 1",
    "kurisu_outbox_pending 4",
    "kurisu_inbox_waiting_conversations 3",
    "kurisu_inbox_waiting_seconds 2.5",
    ...cluster,
  ]);
  expect(await valuesOf(() => Promise.reject(new Error("the database is away")))).toEqual(cluster);
});

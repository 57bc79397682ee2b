import { chownSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import { createTestSandbox } from "../tests/support/test-sandbox.ts";
import { openDecisionBed } from "./decision-bed.ts";
import { median, percentile } from "./statistics.ts";
{
  await using stack = new AsyncDisposableStack();
  const docker = new Docker();
  const { sandbox } = createTestSandbox({ docker, sessions: { kept: 16 }, concurrency: 16 });
  stack.defer(() => sandbox.stop());
  await sandbox.status();
  const workspace = mkdtempSync(join(tmpdir(), "kurisu-scr-"));
  chownSync(workspace, 1000, 1000);
  const place = { session: "bench", workspace };
  await sandbox.warm(place);
  const bed = await openDecisionBed(stack, docker);

  const V = Number(process.env["V"] ?? 2);
  const N = Number(process.env["N"] ?? 80);
  const warm: number[] = [];
  const dec: number[][] = Array.from({length: V}, () => []);
  const runs: Record<string, number[]>[] = Array.from({length: V}, () => ({}));
  for (let i = 0; i < (N + 6) * V; i++) {
    const v = ((globalThis as any).__v = i % V);
    const t = performance.now();
    await sandbox.run({ ...place, command: "echo hi", cwd: ".", timeoutMs: 30000, signal: new AbortController().signal });
    const w = performance.now() - t;
    const d = await bed.decide();
    if (i < 6 * V) continue;
    warm.push(w); dec[v]!.push(d);
    const marks = ((globalThis as any).__m as [string, number][]).slice();
    const at0 = marks.find(([n]) => n === "commit")?.[1] ?? 0;
    for (const [n, m] of marks) (runs[v]![n] ??= []).push(m - at0);
  }
  const q = (a: number[]) => [0.1, 0.25, 0.5, 0.9].map((p) => percentile(a, p).toFixed(2)).join(" ");
  console.log("warm", q(warm));
  for (let v = 0; v < V; v++) {
    console.log("variant", v, q(dec[v]!), "ratio", (median(dec[v]!) / median(warm)).toFixed(2), "p10 ratio", (percentile(dec[v]!, 0.1) / percentile(warm, 0.1)).toFixed(2));
    if (process.env["M"]) for (const [n, m] of Object.entries(runs[v]!).sort((a, b) => median(a[1]) - median(b[1]))) console.log("   ", q(m), n, m.length);
  }
}

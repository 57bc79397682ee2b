import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, findPostgresPrograms, startPostgresServer } from "../tests/support/postgres-server.ts";
import { measureInstall, measureSkillYaml } from "./floor/install-size.ts";
import { measureSubject, type Figures, type MeasureOptions } from "./floor/measure-subject.ts";
import { printFloor } from "./floor/print-floor.ts";
import { measureSmall } from "./floor/small.ts";
import { openCeiling, openKurisu, openTelegraf, type Ground } from "./floor/subjects.ts";

/**
 * The product as a process, by the command of `npm start`, on a strict fake Telegram with a model server of zero latency;
 * before it, in the same run, a bare telegraf bot and the harness's own ceiling. Everything is written with every flush.
 */
export async function measureFloor(options: readonly string[]): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const ground = await openGround(stack);
  const readModel = async () => (await (await fetch(ground.modelUrl)).json()) as { requests: number; held: number };
  if (options.includes("--small")) return await measureSmall(ground);
  const quick = options.includes("--quick");
  const common = { paceTurns: quick ? 12 : 40, idleSeconds: quick ? 3 : 10, longTurns: 0, whole: undefined, readModel };
  const product = { ...common, longTurns: options.includes("--long") ? 10_000 : 0 };
  const all: Figures[] = [];
  const measure = async (opening: ReturnType<typeof openKurisu>, how: MeasureOptions) => {
    const subject = await opening;
    console.error(`measuring ${subject.name} …`);
    all.push(await measureSubject(subject, how));
  };
  await measure(openTelegraf(ground), common);
  await measure(openCeiling(ground), common);
  await measure(openKurisu(ground, { name: "Kurisu, SQLite" }), { ...product, whole: "sqlite" });
  if (options.includes("--postgres")) {
    const databaseUrl = await openPostgres(stack);
    if (databaseUrl === undefined) return false;
    await measure(openKurisu(ground, { name: "Kurisu, Postgres", databaseUrl }), { ...product, whole: "postgres" });
  }
  printFloor(all);
  const sizes = { installMb: measureInstall(), skillYamlKb: measureSkillYaml() / 1000 };
  console.log(
    `\nInstalled: ${sizes.installMb.toFixed(0)} MB; skill.yaml files together: ${sizes.skillYamlKb.toFixed(1)} kB (node ${process.versions.node})`,
  );
  const file = options.find((option) => option.startsWith("--json="))?.slice("--json=".length);
  if (file !== undefined) writeFileSync(file, `${JSON.stringify({ all, ...sizes }, null, 2)}\n`);
  return all.every(({ faults: { lost, doubled, reordered } }) => lost + doubled + reordered === 0);
}

export async function openGround(stack: AsyncDisposableStack, pieceMs = 0): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-floor-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const model = spawn(process.execPath, [join(import.meta.dirname, "floor", "model-process.ts")], {
    env: { ...process.env, BENCH_PIECE_MS: String(pieceMs) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  stack.defer(() => void model.kill());
  const [port] = (await once(model.stdout, "data")) as [Buffer];
  return { folder, modelUrl: `http://127.0.0.1:${port.toString().trim()}/v1`, stack };
}

async function openPostgres(stack: AsyncDisposableStack): Promise<string | undefined> {
  const programs = findPostgresPrograms();
  if (programs === undefined) {
    console.error("Postgres cannot be measured: its programs are not installed (Debian: apt install postgresql)");
    return undefined;
  }
  const server = await startPostgresServer(programs, { fsync: true });
  stack.defer(() => server.dispose());
  return (await createDatabase(server.url)).url;
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkOut, describeThis } from "./floor/check-out.ts";
import { compareVersions } from "./floor/compare.ts";
import { countSql } from "./floor/count-sql.ts";
import { measureInstall, measureSkillYaml } from "./floor/install-size.ts";
import { measureSubject, type Figures, type MeasureOptions } from "./floor/measure-subject.ts";
import { printFloor } from "./floor/print-floor.ts";
import { printComparison } from "./floor/print-rounds.ts";
import { measureSmall } from "./floor/small.ts";
import { openCeiling, openKurisu, openTelegraf, type Ground } from "./floor/subjects.ts";

/**
 * The product as a process, by the command of `npm start`, on a strict fake Telegram with a model server of zero latency;
 * before it, in the same run, a bare telegraf bot and the harness's own ceiling. Everything is written with every flush.
 * Then what can be compared runs at once and takes turns: this version, bare telegraf, and another commit if one is named.
 */
export async function measureFloor(options: readonly string[]): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const against = options.find((option) => /^--against(?:=|$)/.test(option))?.replace(/^--against=?/, "");
  const other = against === undefined ? undefined : checkOut(against);
  if (against !== undefined && other === undefined) {
    console.error(`--against: there is no commit ${against || "named"} in this repository`);
    return false;
  }
  const ground = await openGround(stack);
  if (options.includes("--small")) return await measureSmall(ground);
  const postgres = options.includes("--postgres") ? await openPostgres(stack) : undefined;
  if (options.includes("--postgres") && postgres === undefined) return false;

  const whole = options.includes("--only-rounds") ? undefined : await measureAll(ground, options, postgres);
  const compared = await compareVersions(ground, { mine: describeThis(), other, createDatabase: postgres });
  if (whole !== undefined) printFloor(whole);
  printComparison(compared);
  const sizes = whole && printSizes();
  const file = options.find((option) => option.startsWith("--json="))?.slice("--json=".length);
  if (file !== undefined) writeFileSync(file, `${JSON.stringify({ all: whole, compared, ...sizes }, null, 2)}\n`);
  return [...(whole ?? []), compared].every(({ faults }) => faults.lost + faults.doubled + faults.reordered === 0);
}

async function measureAll(
  ground: Ground,
  options: readonly string[],
  createDatabase: (() => Promise<string>) | undefined,
): Promise<readonly Figures[]> {
  const readModel = async () => (await (await fetch(ground.modelUrl)).json()) as { requests: number; held: number };
  const quick = options.includes("--quick");
  const common: MeasureOptions = {
    paceTurns: quick ? 12 : 40,
    idleSeconds: quick ? 3 : 10,
    longTurns: 0,
    interrupted: false,
    countSql: undefined,
    readModel,
  };
  const product = { ...common, longTurns: options.includes("--long") ? 10_000 : 0, interrupted: true };
  const all: Figures[] = [];
  const measure = async (opening: ReturnType<typeof openKurisu>, how: MeasureOptions) => {
    const subject = await opening;
    console.error(`measuring ${subject.name} …`);
    all.push(await measureSubject(subject, how));
  };
  await measure(openTelegraf(ground), common);
  await measure(openCeiling(ground), common);
  const onSqlite = () => openKurisu(ground, { name: "Kurisu, SQLite" });
  await measure(onSqlite(), { ...product, countSql: async () => countSql(await onSqlite()) });
  if (createDatabase) {
    await measure(openKurisu(ground, { name: "Kurisu, Postgres", databaseUrl: await createDatabase() }), product);
  }
  return all;
}

function printSizes(): object {
  const { mb: installMb, missing } = measureInstall();
  const skillYamlKb = measureSkillYaml() / 1000;
  const without = missing.length === 0 ? "" : ` without ${missing.join(", ")}, which are not installed here`;
  console.log(
    `\nInstalled: ${installMb.toFixed(0)} MB${without}; skill.yaml files together: ${skillYamlKb.toFixed(1)} kB (node ${process.versions.node})`,
  );
  return { installMb, missing, skillYamlKb };
}

/** The model waits `thinkMs` before its answer and `pieceMs` after each piece of it. */
export async function openGround(stack: AsyncDisposableStack, pieceMs = 0, thinkMs = 0): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-floor-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const model = spawn(process.execPath, [join(import.meta.dirname, "floor", "model-process.ts")], {
    env: { ...process.env, BENCH_PIECE_MS: String(pieceMs), BENCH_THINK_MS: String(thinkMs) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  stack.defer(() => void model.kill());
  const [port] = (await once(model.stdout, "data")) as [Buffer];
  return { folder, modelUrl: `http://127.0.0.1:${port.toString().trim()}/v1`, stack };
}

/** Answers what makes a new database. */
async function openPostgres(stack: AsyncDisposableStack): Promise<(() => Promise<string>) | undefined> {
  // Its client is a package that this machine may lack.
  const { createDatabase, findPostgresPrograms, startPostgresServer } =
    await import("../tests/support/postgres-server.ts");
  const programs = findPostgresPrograms();
  if (programs === undefined) {
    console.error("Postgres cannot be measured: its programs are not installed (Debian: apt install postgresql)");
    return undefined;
  }
  const server = await startPostgresServer(programs, { fsync: true });
  stack.defer(() => server.dispose());
  return async () => (await createDatabase(server.url)).url;
}

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { chown, chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { findFreePort } from "./kurisu-process/find-free-port.ts";

const run = promisify(execFile);

/** A server of our own in a temporary folder, on 127.0.0.1 only. Plain functions: tests and benches both start one. */
export interface PostgresServer {
  /** Of its administration database, as its superuser. */
  readonly url: string;
  readonly port: number;
  /** Ends it as an administrator would, or at once without a word to anybody. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  /** The same data on the same port once more. */
  start(): Promise<void>;
  /** Stops it and removes its folder. */
  dispose(): Promise<void>;
}

export interface PostgresServerOptions {
  /** false = faster and unsafe, for tests; benches want the truth. */
  readonly fsync: boolean;
}

/** Folder of the server's programs; undefined = they are not installed. */
export function findPostgresPrograms(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

export async function startPostgresServer(programs: string, options: PostgresServerOptions): Promise<PostgresServer> {
  const user = await findUser();
  const folder = mkdtempSync(join(tmpdir(), "kurisu-postgres-"));
  await chmod(folder, 0o700);
  if (user) await chown(folder, user.uid, user.gid);
  const as = user ?? {};
  const data = join(folder, "data");
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  const dispose = async (): Promise<void> => {
    await stop("fast");
    rmSync(folder, { recursive: true, force: true });
  };

  async function stop(mode: "fast" | "immediate" = "fast"): Promise<void> {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill(mode === "fast" ? "SIGINT" : "SIGQUIT");
    const harder = setTimeout(() => running.kill("SIGQUIT"), 5_000);
    await ended;
    clearTimeout(harder);
  }

  async function start(): Promise<void> {
    const settings = {
      port: String(port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: folder,
      max_connections: "200",
      ...(options.fsync ? {} : { fsync: "off", full_page_writes: "off" }),
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const started = spawn(join(programs, "postgres"), ["-D", data, ...flags], {
      ...as,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    child = started;
    let said = "";
    started.stderr.on("data", (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-4_000);
    });
    for (let attempt = 0; ; attempt += 1) {
      if (await answers(port)) return;
      if (started.exitCode !== null || attempt > 300) throw new Error(`PostgreSQL did not start:\n${said}`);
      await sleep(50);
    }
  }

  try {
    // The order of a language and not of bytes, so that tests find who relies on the latter.
    const locale = ["--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"];
    const common = ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"];
    await run(join(programs, "initdb"), [...common, ...locale], { ...as, cwd: folder });
    await start();
  } catch (error) {
    await dispose();
    throw error;
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, port, stop, start, dispose };
}

/** A database on the server of `url`, empty or a copy of another; `drop` removes it, whoever is still connected. */
export async function createDatabase(
  url: string,
  template = "template1",
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `kurisu_${randomBytes(6).toString("hex")}`;
  await runOnServer(url, `create database ${name} template ${template}`);
  const its = new URL(url);
  its.pathname = `/${name}`;
  return { url: its.href, drop: () => runOnServer(url, `drop database if exists ${name} with (force)`) };
}

export async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The server refuses to run as root: then it runs as somebody who may do nothing else. */
async function findUser(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    try {
      const [uid, gid] = await Promise.all(
        ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, name])).stdout)),
      );
      if (uid !== undefined && gid !== undefined) return { uid, gid };
    } catch (error) {
      if (name === "nobody") throw error;
    }
  }
  return undefined;
}

async function answers(port: number): Promise<boolean> {
  const client = new Client({ host: "127.0.0.1", port, user: "postgres", database: "postgres" });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

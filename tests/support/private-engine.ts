import { spawn, spawnSync, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import Docker from "dockerode";
import { dockerIsThere, requireDocker } from "./docker.ts";
import { untilTestEnds } from "./keep-until.ts";
import { sandboxImage } from "./test-sandbox.ts";
import { tellLeftOut } from "./left-out.ts";

/** An engine of a test's own, which it may kill: no network, other folders, the same image. */
export interface PrivateEngine {
  readonly docker: Docker;
  readonly environment: { readonly DOCKER_HOST: string };
  /** kill -9. What it had started lives on. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Command lines of what runs on this machine for it, itself left out. */
  listProcesses(): readonly string[];
}

/** For `describe.runIf(privateEngineIsThere())`. One loud line where it is not, a failure where it must be. */
export function privateEngineIsThere(): boolean {
  if (!dockerIsThere()) return false;
  const missing =
    process.getuid?.() === 0
      ? spawnSync("dockerd", ["--version"]).error && "dockerd is not installed here"
      : "only root can start an engine";
  if (!missing) return true;
  if (process.env.KURISU_REQUIRE_DOCKER === "1") throw new Error(missing);
  tellLeftOut("tests that kill an engine", missing);
  return false;
}

/** `prepare` = shell commands in the engine's own mount namespace, before it starts. */
export async function startPrivateEngine(
  options: { readonly flags?: readonly string[]; readonly prepare?: string } = {},
): Promise<PrivateEngine> {
  // Not in a memory file system: an overlay needs a real one.
  const folder = mkdtempSync("/var/tmp/kurisu-engine-");
  const socketPath = `${folder}/docker.sock`;
  const docker = new Docker({ socketPath });
  let engine: ChildProcess | undefined;

  async function start(): Promise<void> {
    const flags = [
      `--host=unix://${socketPath}`,
      `--data-root=${folder}/data`,
      `--exec-root=${folder}/exec`,
      `--pidfile=${folder}/docker.pid`,
      "--bridge=none",
      "--iptables=false",
      "--ip-forward=false",
      ...(options.flags ?? []),
    ];
    const log = openSync(`${folder}/docker.log`, "a");
    const stdio: StdioOptions = ["ignore", log, log];
    const script = `${options.prepare ?? ":"}; exec dockerd "$@"`;
    // A network of its own: an engine without a bridge removes docker0, which is another engine's. The mounts are the machine's,
    // unless something is prepared: a next engine must find what the one before it had mounted.
    const apart = options.prepare === undefined ? ["-n"] : ["-n", "-m"];
    const started = spawn("unshare", [...apart, "bash", "-c", script, "dockerd", ...flags], { stdio });
    engine = started;
    for (let tries = 0; tries < 300; tries += 1) {
      if (started.exitCode !== null) break;
      const answers = await docker.ping().then(
        () => true,
        () => false,
      );
      if (answers) return;
      await wait(100);
    }
    throw new Error(`the engine did not start: ${readFileSync(`${folder}/docker.log`, "utf8").slice(-2000)}`);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (engine === undefined || engine.exitCode !== null || engine.signalCode !== null) return;
    const ended = once(engine, "exit");
    engine.kill(signal);
    await ended;
  }

  async function kill(): Promise<void> {
    await end("SIGKILL");
    // Where nobody buries the dead (a container without an init), the engine's own containerd stays as a zombie, and the
    // next engine takes it for alive.
    rmSync(`${folder}/exec/containerd/containerd.pid`, { force: true });
  }

  function listProcesses(): string[] {
    const { stdout } = spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
    const own = new RegExp(`^\\s*${engine?.pid ?? 0}\\s`);
    return stdout.split("\n").filter((line) => line.includes(folder) && !own.test(line));
  }

  untilTestEnds(async () => {
    await end("SIGTERM");
    for (const line of listProcesses()) process.kill(Number.parseInt(line, 10), "SIGKILL");
    for (let tries = 0; tries < 50 && listProcesses().length > 0; tries += 1) await wait(100);
    spawnSync("bash", ["-c", `grep -o ' ${folder}/[^ ]*' /proc/mounts | sort -r | xargs -r umount -l`]);
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  const image = await requireDocker().getImage(sandboxImage).get();
  const loading = await docker.loadImage(image);
  await new Promise((resolve, reject) =>
    docker.modem.followProgress(loading, (error) => (error ? reject(error) : resolve(undefined))),
  );
  return {
    docker,
    environment: { DOCKER_HOST: `unix://${socketPath}` },
    kill,
    start,
    listProcesses,
  };
}

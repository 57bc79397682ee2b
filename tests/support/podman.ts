import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import Docker from "dockerode";
import { hideSecondCgroups } from "./hide-second-cgroups.ts";
import { dockerIsThere } from "./docker.ts";
import { sandboxImage } from "./test-sandbox.ts";
import { tellLeftOut } from "./left-out.ts";

/** Podman's likeness of Docker's API, with storage of its own and the test image. */
export interface PodmanService {
  readonly docker: Docker;
  stop(): Promise<void>;
}

/** For `describe.runIf(podmanIsThere())`. One loud line where it is not, a failure where it must be. */
export function podmanIsThere(): boolean {
  const missing = findMissing();
  if (missing === undefined) return true;
  if (process.env.KURISU_REQUIRE_PODMAN === "1") throw new Error(`Tests with Podman cannot run: ${missing}`);
  tellLeftOut("tests with Podman", missing);
  return false;
}

function findMissing(): string | undefined {
  if (!dockerIsThere()) return "the image comes from Docker, which is not there";
  if (process.getuid?.() !== 0) return "only root can give it storage of its own";
  const programs = ["podman", "crun", "catatonit"];
  const missing = programs.find((name) => spawnSync(name, ["--version"]).error !== undefined);
  if (missing !== undefined) return `${missing} is not installed`;
  if (spawnSync("unshare", ["-m", "true"]).status !== 0) return "no mount namespace of its own can be made here";
  return undefined;
}

function findProcesses(folder: string): string[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
  const lines = stdout.split("\n").filter((line) => line.includes(folder));
  return lines.map((line) => String(Number.parseInt(line, 10)));
}

export async function startPodman(): Promise<PodmanService> {
  // Not in a memory file system: an overlay needs a real one.
  const folder = mkdtempSync("/var/tmp/kurisu-podman-");
  // A host that lets nobody raise limits (no CAP_SYS_RESOURCE) refuses Podman's own defaults.
  const limits = 'default_ulimits = ["nofile=1024:1024", "nproc=8192:8192"]';
  writeFileSync(`${folder}/containers.conf`, `[containers]\n${limits}\n`);
  const script = `${hideSecondCgroups}; exec podman "$@"`;
  const storage = ["--root", `${folder}/root`, "--runroot", `${folder}/run`, "--tmpdir", `${folder}/tmp`];
  const flags = [...storage, "--storage-driver", "overlay", "--events-backend", "none", "--cgroup-manager", "cgroupfs"];
  const begin = (...more: readonly string[]) => ["-m", "bash", "-c", script, "podman", ...flags, ...more];
  const env = { ...process.env, CONTAINERS_CONF: `${folder}/containers.conf` };
  const remove = (): void => {
    // What watches over a process by exec stays for five minutes after it.
    spawnSync("kill", ["-9", ...findProcesses(folder)]);
    spawnSync("bash", ["-c", `grep -o ' ${folder}/[^ ]*' /proc/mounts | sort -r | xargs -r umount -l`]);
    rmSync(folder, { recursive: true, force: true });
  };

  const load = 'set -o pipefail; docker save "$0" | unshare "$@"';
  const loaded = spawnSync("bash", ["-c", load, sandboxImage, ...begin("load")], { env, encoding: "utf8" });
  if (loaded.status !== 0) {
    remove();
    throw new Error(`podman cannot load the image: ${loaded.stderr}`);
  }
  const log = openSync(`${folder}/log`, "a");
  const socketPath = `${folder}/podman.sock`;
  const service = spawn("unshare", begin("system", "service", "--time", "0", `unix://${socketPath}`), {
    env,
    stdio: ["ignore", log, log],
    // What watches a process for Podman writes into the folder it was begun in.
    cwd: folder,
  });
  closeSync(log);
  const stop = async (): Promise<void> => {
    if (service.exitCode === null && service.signalCode === null) {
      const ended = once(service, "exit");
      service.kill("SIGTERM");
      await ended;
    }
    remove();
  };
  const docker = new Docker({ socketPath });
  for (let tries = 0; tries < 200; tries += 1) {
    const answers = await docker.ping().then(
      () => true,
      () => false,
    );
    if (answers) return { docker, stop };
    await wait(100);
  }
  const said = readFileSync(`${folder}/log`, "utf8");
  await stop();
  throw new Error(`podman does not answer: ${said}`);
}

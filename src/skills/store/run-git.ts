import { spawn } from "node:child_process";
import { describeError } from "../../core/errors.ts";

export type GitAnswer =
  | { readonly ok: true; readonly output: Buffer }
  | { readonly ok: false; readonly problem: string };

export interface GitOptions {
  /** A folder of ours; the only place it writes to. */
  readonly folder: string;
  /** What may carry data: one of git's own transports, by the kind of address. "" = none, for what reads only. */
  readonly transport: "https" | "ssh" | "file" | "";
  /** An address of a forward proxy; without it git goes straight. */
  readonly proxy?: string;
  readonly input?: string;
  /** Bytes of output; more ends the program. */
  readonly most?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const fixed = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["credential.helper", ""],
  ["protocol.allow", "never"],
  ["protocol.ext.allow", "never"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["fetch.fsckObjects", "true"],
  ["transfer.bundleURI", "false"],
  ["http.followRedirects", "initial"],
  ["http.lowSpeedLimit", "1000"],
  ["http.lowSpeedTime", "30"],
  ["gc.auto", "0"],
] as const;

/**
 * The one place that runs git. No shell, no configuration of the machine or of a person, no hook, helper, question or
 * submodule, and one transport. Arguments that others wrote stand behind `--` or are hashes; the caller sees to that.
 */
export function runGit(given: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const { folder, transport, proxy, input = "", most = 64 * 1024 * 1024, timeoutMs = 120_000, signal } = options;
  const settings = [...fixed, ...(proxy === undefined ? [] : [["http.proxy", proxy] as const])];
  const expired = AbortSignal.timeout(timeoutMs);
  const child = spawn("git", [...settings.flatMap(([key, value]) => ["-c", `${key}=${value}`]), ...given], {
    cwd: folder,
    shell: false,
    stdio: ["pipe", "pipe", "pipe"],
    killSignal: "SIGKILL",
    signal: signal ? AbortSignal.any([expired, signal]) : expired,
    env: {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: folder,
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_ATTR_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_ASKPASS: "/bin/false",
      GIT_ALLOW_PROTOCOL: transport,
      GIT_NO_REPLACE_OBJECTS: "1",
      GIT_CEILING_DIRECTORIES: folder,
      GIT_SSH_COMMAND: "ssh -oBatchMode=yes -oPermitLocalCommand=no -oClearAllForwardings=yes",
      ...(process.env["SSH_AUTH_SOCK"] !== undefined && { SSH_AUTH_SOCK: process.env["SSH_AUTH_SOCK"] }),
    },
  });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let complaint = "";
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > most) child.kill("SIGKILL");
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)));
    // It may end before it has read everything.
    child.stdin.on("error", () => child.stdin.destroy());
    child.stdin.end(input);
    child.on("error", (error) => {
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
      const late = expired.aborted ? `git did not end within ${timeoutMs / 1000} s` : describeError(error);
      resolve({ ok: false, problem: missing ? "the program git is not installed" : late });
    });
    child.on("close", (code) => {
      if (bytes > most) resolve({ ok: false, problem: "git answered with more than is taken" });
      else if (code === 0) resolve({ ok: true, output: Buffer.concat(chunks) });
      else resolve({ ok: false, problem: `git said: ${lastLine(complaint)}` });
    });
  });
}

function lastLine(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return (lines.find((line) => /^(?:fatal|error)/.test(line)) ?? lines.at(-1) ?? "nothing").slice(0, 300);
}

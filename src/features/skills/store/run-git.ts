import { spawn } from "node:child_process";
import { describeError } from "../../../core/errors.ts";

export type GitAnswer =
  | { readonly ok: true; readonly output: Buffer }
  | { readonly ok: false; readonly problem: string; readonly isTooMuch?: true };

export interface GitOptions {
  /** A folder of ours; the only place it writes to. */
  readonly folder: string;
  /** The transport that may carry data: one of git's own, by the kind of address. "" = none, for reading. */
  readonly transport: "https" | "ssh" | "file" | "";
  /** An address of a forward proxy; without it git goes straight. */
  readonly proxy?: string;
  readonly input?: string;
  readonly signal?: AbortSignal;
}

const timeoutMs = 120_000;
/** Bytes of output; more ends the program. */
const maxOutput = 64 * 1024 * 1024;

/** The folders of git and ssh; a user's PATH cannot put another program in their place. */
const defaultPlaces = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin";

const fixed = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["credential.helper", ""],
  ["protocol.allow", "never"],
  ["protocol.ext.allow", "never"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  // With it a fetch stays one file, so that the limit of a file is the limit of a fetch.
  ["fetch.fsckObjects", "true"],
  ["transfer.bundleURI", "false"],
  ["http.followRedirects", "initial"],
  ["http.lowSpeedLimit", "1000"],
  ["http.lowSpeedTime", "30"],
  ["gc.auto", "0"],
] as const;

/**
 * Maximum size in bytes of any file that git or a program of its writes. The system stops the writer, however fast the
 * source is and whichever process still runs when we have given up. 64 MB: three times what a skill may hold, history
 * and all.
 */
export const maxFetched = 64 * 1024 * 1024;
const blockSize = 512;
const tooMuch = `more than ${maxFetched / 1024 / 1024} MB would have to be fetched, which is the most that is taken; install from the skill's folder or an archive of it instead`;

/**
 * A constant, so that a shell never reads foreign text: git and its arguments are passed as they are. Without the trap
 * a write beyond the limit would kill git; with it git reports an error.
 */
const limited = `trap "" XFSZ; ulimit -c 0 && ulimit -f "$0" && exec git "$@"`;
const beyond = "File too large";
const notFound = 127;

/**
 * The one place that runs git. No shell reads its arguments, no configuration of the machine or of a person, no hook,
 * helper, question or submodule, and one transport. Arguments that others wrote come after `--` or are hashes; the
 * caller ensures that.
 */
export function runGit(given: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const { folder, transport, proxy, input = "", signal } = options;
  const settings = [...fixed, ...(proxy === undefined ? [] : [["http.proxy", proxy] as const])];
  const expired = AbortSignal.timeout(timeoutMs);
  const words = [...settings.flatMap(([key, value]) => ["-c", `${key}=${value}`]), ...given];
  const child = spawn("/bin/sh", ["-c", limited, `${maxFetched / blockSize}`, ...words], {
    cwd: folder,
    shell: false,
    stdio: ["pipe", "pipe", "pipe"],
    killSignal: "SIGKILL",
    signal: signal ? AbortSignal.any([expired, signal]) : expired,
    env: {
      PATH: defaultPlaces,
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
    },
  });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let complaint = "";
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxOutput) child.kill("SIGKILL");
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)));
    // It may end before it has read everything.
    child.stdin.on("error", () => child.stdin.destroy());
    child.stdin.end(input);
    child.on("error", (error) => {
      const late = expired.aborted ? `git did not end within ${timeoutMs / 1000} s` : describeError(error);
      resolve({ ok: false, problem: late });
    });
    child.on("close", (code) => {
      if (bytes > maxOutput) resolve({ ok: false, problem: "git answered with more than is taken" });
      else if (code === 0) resolve({ ok: true, output: Buffer.concat(chunks) });
      else if (code === notFound) resolve({ ok: false, problem: "the program git is not installed" });
      else if (complaint.includes(beyond)) resolve({ ok: false, problem: tooMuch, isTooMuch: true });
      else resolve({ ok: false, problem: `git said: ${lastLine(complaint)}` });
    });
  });
}

function lastLine(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return (lines.find((line) => /^(?:fatal|error)/.test(line)) ?? lines.at(-1) ?? "nothing").slice(0, 300);
}

import { readFileSync } from "node:fs";
import type { Sandbox, SandboxOutcome } from "../../sandbox/types.ts";
import { createFileFault, FileRefused, isKnownFault } from "../file-faults.ts";
import type { FileActions, FilePlace } from "../file-actions.ts";
import { nameTemporary } from "../write-workspace-file.ts";
import { parseEntry, parseListing } from "./parse-entries.ts";

const script = readFileSync(new URL("file-action.sh", import.meta.url), "utf8");

/** Time limit of one action, without the waiting for the container. */
const actionMs = 15_000;
/** With the waiting. Tools have 20 seconds. */
const defaultWaitingMs = 18_000;
const mebibyte = 1024 * 1024;
/** Paths that one run looks at; they are its arguments. */
const pathsAtOnce = 256;
/** Size of a listing: 20,000 entries with paths of 800 bytes. */
const listingBytes = 16 * mebibyte;

interface Answered {
  /** The rest of the first line after "ok". */
  readonly note: string;
  readonly bytes: Buffer;
}

/**
 * Files by a fixed script in the session's container, where the workspace is all there is to reach. Paths, numbers and
 * content go in on standard input and are never part of the script.
 */
export function createContainerFiles(parts: { readonly sandbox: Sandbox; readonly waitingMs?: number }): FileActions {
  const { sandbox, waitingMs = defaultWaitingMs } = parts;

  async function act(
    { session, folder }: FilePlace,
    action: { readonly name: string; readonly arguments: readonly (string | number)[]; readonly writes?: true },
    most: number,
    content: Uint8Array = new Uint8Array(),
  ): Promise<Answered> {
    const pieces: Buffer[] = [];
    const outcome = await sandbox.run({
      command: script,
      cwd: ".",
      timeoutMs: actionMs,
      workspace: folder,
      session,
      signal: AbortSignal.timeout(waitingMs),
      stdin: Buffer.concat([
        Buffer.from([action.name, ...action.arguments].map((text) => `${text}\0`).join("")),
        content,
      ]),
      outputBytes: most + 4096,
      onStdout: (piece) => pieces.push(piece),
      // The caller has held the content to the workspace's limit.
      measured: false,
      brief: true,
    });
    return readAnswer(outcome, Buffer.concat(pieces), action.writes === true);
  }

  return {
    async read(place, path, most) {
      const { bytes } = await act(place, { name: "read", arguments: [path.relative, most] }, most + 1);
      if (bytes.length > most) throw createFileFault("ETOOLARGE");
      return bytes;
    },
    async readMany(place, all, most) {
      const paths = all.slice(0, pathsAtOnce);
      const action = { name: "many", arguments: [most.file, most.all, ...paths.map((path) => path.relative)] };
      const { note, bytes } = await act(place, action, Math.max(most.all, most.file) + pathsAtOnce * 32);
      const end = bytes.indexOf("\n\n") + 2;
      const head = bytes.subarray(0, bytes[0] === 0x0a ? 0 : end).toString("latin1");
      let at = bytes[0] === 0x0a ? 1 : end;
      const files = head.split("\n").flatMap((line) => {
        const [index, size] = line.split(" ").map(Number);
        const path = line === "" || index === undefined ? undefined : paths[index];
        if (path === undefined || size === undefined) return [];
        at += size;
        return [{ path: path.relative, bytes: bytes.subarray(at - size, at) }];
      });
      if (at !== bytes.length) throw createFileFault("ECHANGED");
      return { files, looked: Number(note) };
    },
    async replace(place, path, bytes, expected) {
      const given = [path.relative, expected ?? "any", nameTemporary(), bytes.length];
      const { note } = await act(place, { name: "replace", arguments: given, writes: true }, 0, bytes);
      return { existed: note === "1" };
    },
    async append(place, path, bytes, most) {
      const given = [path.relative, most, bytes.length];
      const { note } = await act(place, { name: "append", arguments: given, writes: true }, 0, bytes);
      return { existed: note === "1" };
    },
    async stat(place, path) {
      const { bytes } = await act(place, { name: "stat", arguments: [path.relative] }, 0);
      return parseEntry(path.relative, bytes.toString("latin1"));
    },
    async list(place, path, { depth, most }) {
      const action = { name: "list", arguments: [path.relative, depth, most] };
      const { bytes } = await act(place, action, listingBytes);
      return parseListing(path, bytes, { depth, most });
    },
  };
}

/** Throws the fault that the script names, and a sentence when there was no container. */
function readAnswer(outcome: SandboxOutcome, output: Buffer, writes: boolean): Answered {
  const doubt = writes ? " Part of it may have happened: read the file before repeating it." : "";
  switch (outcome.kind) {
    case "stopped":
      if (outcome.started) throw new FileRefused(`The file operation was stopped before it ended.${doubt}`);
      throw new FileRefused(
        "The conversation's container is busy with a command; try again when that has ended.",
        "EBUSY",
      );
    case "unavailable":
      throw new FileRefused(
        outcome.started ? `${outcome.reason}${doubt} ${outcome.remedy}` : `${outcome.reason} ${outcome.remedy}`,
      );
    case "finished":
      break;
  }
  if (outcome.timedOut) throw new FileRefused(`The file operation took too long and was stopped.${doubt}`);
  if (outcome.truncated) throw new FileRefused("There is more than can be answered at once; ask for less.");
  const end = output.indexOf("\n");
  const [verdict = "", ...rest] = output.subarray(0, Math.max(0, end)).toString("utf8").split(" ");
  const note = rest.join(" ");
  if (verdict === "ok") return { note, bytes: output.subarray(end + 1) };
  if (verdict === "no" && isKnownFault(note)) throw createFileFault(note);
  throw new Error(`a file operation failed in the container (${outcome.exitCode}): ${note} ${outcome.stderr}`.trim());
}

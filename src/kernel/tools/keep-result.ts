import { describeError } from "../../core/errors.ts";
import type { Logger } from "pino";
import { formatByteSize } from "../../core/byte-size.ts";
import type { WorkspaceLimits } from "../../sandbox/types.ts";
import { hashContent } from "../../workspace/hash-content.ts";
import type { KnownContents } from "../../workspace/known-contents.ts";
import { findShare, fitsShare } from "../../workspace/person-share.ts";
import type { Workspace } from "../../workspace/types.ts";
import type { ToolContext } from "./types.ts";

/** The owner of the result: the person whose message began the turn. */
export type ResultPlace = Pick<ToolContext, "session" | "person" | "taint" | "now" | "chatKind">;

type KeptResult =
  | { readonly ok: true; readonly path: string }
  /** `refused`: it may never be stored. Otherwise the disk failed. */
  | { readonly ok: false; readonly error: string; readonly refused: boolean };

/** Stores a result under `results/`. Never throws: the call has happened, even if its long output is lost. */
export type KeepResult = (place: ResultPlace, name: string, content: string | Uint8Array) => Promise<KeptResult>;

/** Guests cannot write to a group's disk; members have a share of it, owners no limit. */
export function createKeepResult(parts: {
  readonly workspace: Pick<Workspace, "write" | "folderFor">;
  readonly workspaceLimits: () => WorkspaceLimits;
  /** Records who owns a content: a long result of a turn without foreign content remains its person's own. */
  readonly contents?: Pick<KnownContents, "keep">;
  readonly log: Pick<Logger, "warn">;
}): KeepResult {
  const { workspace, workspaceLimits, contents, log } = parts;

  return async ({ chatKind, now, person, session, taint }, name, content) => {
    if (person.role === "guest" && chatKind !== "private") {
      return { ok: false, error: "Pictures and files are not kept for guests of a group.", refused: true };
    }
    try {
      const bytes = Buffer.from(content);
      const share = findShare(person, chatKind, workspaceLimits());
      if (share && !(await fitsShare(await workspace.folderFor(session), share, bytes.length))) {
        const limit = formatByteSize(share.limits.bytes);
        const error = `The person's share of this group's disk, ${limit}, is full; something of theirs has to be deleted first.`;
        return { ok: false, error, refused: true };
      }
      const path = share ? `results/${share.tag}/${name}` : `results/${name}`;
      const written = await workspace.write(session, path, content, "write");
      if (!written.ok) return { ok: false, error: written.error, refused: false };
      await contents?.keep({ session, person, taint, now }, written.path, hashContent(bytes));
      return { ok: true, path: written.path };
    } catch (error) {
      log.warn({ err: error, name }, "a result could not be kept");
      return { ok: false, error: describeError(error), refused: false };
    }
  };
}

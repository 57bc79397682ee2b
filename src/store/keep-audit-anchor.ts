import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import { describeError } from "../core/errors.ts";
import { appendAuditAnchor, readAuditAnchors } from "./audit-anchor.ts";
import type { Store } from "./open-store.ts";
import { appendAudit } from "./queries/audit.ts";
import { findAuditHead, raiseAuditMark } from "./queries/audit-chain.ts";

/** Writes the head of the audit's chain down, where it is not the last one that was. */
export interface AuditAnchors {
  /** Never throws: what cannot be written is logged. */
  write(): Promise<void>;
  /** The mark in the database, which is kept up more often: it costs a query and no line. Never throws. */
  raiseMark(): Promise<void>;
}

export function createAuditAnchors(parts: {
  readonly store: Pick<Store, "engine" | "main">;
  readonly files: () => readonly string[];
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
}): AuditAnchors {
  async function noteGone(file: string): Promise<void> {
    parts.log.error({ file }, "an anchor file of the audit is gone, or was set just now; it is created again");
    const row = { actor: "gateway", action: "audit.anchor-missing", detail: { file }, now: parts.clock.now() };
    await appendAudit(parts.store.main, row).catch((error: unknown) =>
      parts.log.error({ file, reason: describeError(error) }, "the audit could not be told of it"),
    );
  }

  return {
    async raiseMark() {
      try {
        await raiseAuditMark(parts.store);
      } catch (error) {
        parts.log.error({ reason: describeError(error) }, "the mark of the audit could not be raised");
      }
    },
    async write() {
      const [own, ...others] = parts.files();
      // The file is created again below, which would hide its removal.
      for (const file of others) if (own !== undefined && isGone(own, file)) await noteGone(file);
      for (const file of parts.files()) {
        try {
          const head = await findAuditHead(parts.store.main);
          const last = readAuditAnchors(file)?.anchors.at(-1);
          if (head && head.hash !== last?.hash) appendAuditAnchor(file, head, parts.clock.now());
        } catch (error) {
          parts.log.error({ file, reason: describeError(error) }, "the head of the audit could not be written down");
        }
      }
    },
  };
}

/** Nothing was anchored there, although the data folder has anchors. */
function isGone(own: string, other: string): boolean {
  return readAuditAnchors(other) === undefined && (readAuditAnchors(own)?.anchors.length ?? 0) > 0;
}

import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import { describeError } from "../core/errors.ts";
import { appendAuditAnchor, readAuditAnchors } from "./audit-anchor.ts";
import type { Store } from "./open-store.ts";
import { findAuditHead, raiseAuditMark } from "./queries/audit-chain.ts";

/** Writes the head of the audit's chain down, where it is not the last one that was. */
export interface AuditAnchors {
  /** Never throws: what cannot be written is logged. */
  drop(): Promise<void>;
  /** The mark in the database, which is kept up more often: it costs a query and no line. Never throws. */
  raise(): Promise<void>;
}

export function createAuditAnchors(parts: {
  readonly store: Pick<Store, "engine" | "main">;
  readonly files: () => readonly string[];
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
}): AuditAnchors {
  return {
    async raise() {
      try {
        await raiseAuditMark(parts.store);
      } catch (error) {
        parts.log.error({ reason: describeError(error) }, "the mark of the audit could not be raised");
      }
    },
    async drop() {
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

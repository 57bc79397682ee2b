import type { Logger } from "pino";
import type { NetworkReport } from "../types.ts";

export interface EgressLimits {
  /** Both directions, all connections of one command. */
  readonly bytes: number;
  /** Requests and tunnels of one command in all, refused ones too. */
  readonly connections: number;
  readonly idleMs: number;
}

const shownRefusals = 20;

/** One request or tunnel: how much went through it, and how it ended. */
export interface EgressEntry {
  /** Counts bytes; false once the command's bytes are used up. */
  count(direction: "out" | "in", bytes: number): boolean;
  end(verdict: "served" | "refused" | "failed", reason?: string): void;
}

/** What one command did with its network: for the log, a line each, and in short for the model and the person. */
export interface EgressRecord {
  /** Undefined once the command has had all its connections. `shown` is `host:port`. */
  begin(shown: string): EgressEntry | undefined;
  report(): NetworkReport;
}

export function createEgressRecord(parts: {
  readonly limits: EgressLimits;
  readonly about: { readonly session: string; readonly run: string };
  readonly log: Pick<Logger, "info">;
  /** The bytes are used up: everything is to be broken off. */
  readonly onExhausted: () => void;
}): EgressRecord {
  const { limits, about, log } = parts;
  const refused = new Set<string>();
  const failed = new Set<string>();
  let bytes = 0;
  let connections = 0;
  let cut = false;

  function begin(shown: string): EgressEntry | undefined {
    connections += 1;
    if (connections > limits.connections || bytes >= limits.bytes) {
      cut = true;
      return undefined;
    }
    const moved = { out: 0, in: 0 };
    let ended = false;
    return {
      count(direction, more) {
        moved[direction] += more;
        bytes += more;
        if (bytes < limits.bytes) return true;
        cut = true;
        parts.onExhausted();
        return false;
      },
      end(verdict, reason) {
        if (ended) return;
        ended = true;
        if (verdict === "refused" && refused.size < shownRefusals) refused.add(shown);
        if (verdict === "failed" && failed.size < shownRefusals) failed.add(shown);
        const [host, port] = splitShown(shown);
        log.info({ ...about, host, port, verdict, reason, sent: moved.out, received: moved.in }, "egress");
      },
    };
  }

  return {
    begin,
    report: () => ({
      refused: [...refused],
      ...(failed.size > 0 && { failed: [...failed] }),
      ...(cut && { limit: "This command used up its connections or bytes; the rest was broken off." }),
    }),
  };
}

function splitShown(shown: string): [string, number | undefined] {
  const at = shown.lastIndexOf(":");
  return at < 0 ? [shown, undefined] : [shown.slice(0, at), Number(shown.slice(at + 1))];
}

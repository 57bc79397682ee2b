import type { Logger } from "pino";
import type { ForwardRecord } from "../../web/forward-proxy.ts";

/** The connections of a command that may reach hosts; `host:port` each. */
export interface NetworkReport {
  /** Not on its list, or not a public host. */
  readonly refused: readonly string[];
  /** On its list, but not to be had. */
  readonly failed?: readonly string[];
  /** It was broken off: a sentence that says why. */
  readonly limit?: string;
}

/** The network use of one command: for the log, a line each, and in short for the model and the person. */
export interface EgressRecord {
  add(entry: ForwardRecord): void;
  report(isExhausted: boolean): NetworkReport;
}

const shownRefusals = 20;

export function createEgressRecord(parts: {
  readonly about: { readonly session: string; readonly run: string };
  readonly log: Pick<Logger, "info">;
}): EgressRecord {
  const { about, log } = parts;
  const refused = new Set<string>();
  const failed = new Set<string>();

  return {
    add({ shown, verdict, reason, sent, received }) {
      if (verdict === "refused" && refused.size < shownRefusals) refused.add(shown);
      if (verdict === "failed" && failed.size < shownRefusals) failed.add(shown);
      const [host, port] = splitShown(shown);
      log.info({ ...about, host, port, verdict, reason, sent, received }, "egress");
    },
    report: (isExhausted) => ({
      refused: [...refused],
      ...(failed.size > 0 && { failed: [...failed] }),
      ...(isExhausted && { limit: "This command used up its connections or bytes; the rest was broken off." }),
    }),
  };
}

function splitShown(shown: string): [string, number | undefined] {
  const at = shown.lastIndexOf(":");
  return at < 0 ? [shown, undefined] : [shown.slice(0, at), Number(shown.slice(at + 1))];
}

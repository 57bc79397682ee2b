import { defaultTerms } from "./approval-terms.ts";
import type { KnownTool, Verdict } from "./types.ts";

/** The hosts that a call of this tool may reach, from those that the turn's skills declare. */
export function grantNetwork(tool: KnownTool, declared: readonly string[]): readonly string[] {
  return tool.reachesHosts === true ? declared : [];
}

/** Reaching a host always needs approval, even where the rules allow the tool. */
export function askForNetwork(verdict: Verdict, network: readonly string[]): Verdict {
  if (verdict.kind === "deny" || network.length === 0) return verdict;
  const reason = { kind: "network", hosts: network } as const;
  if (verdict.kind === "ask") return { ...verdict, because: [...verdict.because, reason] };
  return { kind: "ask", because: [reason], terms: defaultTerms };
}

export function isSameNetwork(asked: readonly string[], now: readonly string[]): boolean {
  return asked.length === now.length && asked.every((host, index) => host === now[index]);
}

import type { Tool, Verdict } from "./types.ts";

/** The hosts that a call of this tool is about, of those that the turn's skills declare. */
export function grantNetwork(tool: Tool, declared: readonly string[]): readonly string[] {
  return tool.reachesHosts === true ? declared : [];
}

/** No host is reached without a yes, also where the rules let the tool run at once. */
export function askForNetwork(verdict: Verdict, network: readonly string[]): Verdict {
  return verdict.kind === "allow" && network.length > 0 ? { kind: "ask" } : verdict;
}

export function isSameNetwork(asked: readonly string[], now: readonly string[]): boolean {
  return asked.length === now.length && asked.every((host, index) => host === now[index]);
}

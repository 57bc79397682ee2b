// The thread that intent-matcher.ts starts and may end at any moment.
import { parentPort } from "node:worker_threads";
import type { MatchWork } from "./intent-matcher.ts";
import { createRuleMatcher, type RuleMatcher } from "./rule-matcher.ts";

let match: RuleMatcher = () => [];

// The time of a match is not the time of loading this.
parentPort?.postMessage("ready");

parentPort?.on("message", (work: MatchWork) => {
  if (work.kind === "load") match = createRuleMatcher(work.skills);
  parentPort?.postMessage(work.kind === "load" ? [] : match(work.utterance).map(({ skill }) => skill.id));
});

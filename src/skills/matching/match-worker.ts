// The thread that match-aside.ts starts and may end at any moment.
import { parentPort } from "node:worker_threads";
import type { MatchWork } from "./match-aside.ts";
import { createIntentMatcher, type MatchSkills } from "./intent-matcher.ts";

let match: MatchSkills = () => [];

// The time of a match is not the time of loading this.
parentPort?.postMessage("ready");

parentPort?.on("message", (work: MatchWork) => {
  if (work.kind === "load") match = createIntentMatcher(work.skills);
  parentPort?.postMessage(work.kind === "load" ? [] : match(work.utterance).map(({ skill }) => skill.id));
});

import type { ToolActivity } from "../../channels/tool-activity.ts";
import type { Language } from "../../core/conversation.ts";
import type { WatchedView } from "../../kernel/turns/live-watch.ts";
import { maxName, toLine } from "../names/name-sessions.ts";
import type { LiveEvent, LiveStep } from "../views/stream-views.ts";
import { nameTool } from "./describe-session.ts";
import { readBlocks } from "./read-blocks.ts";

/** Characters of the text; of a longer one its end is shown. */
const maxText = 20_000;
const maxArgument = 160;
const maxSteps = 60;

/** A running turn, in the shape of the message that it becomes. */
export function describeLive(
  { text, tools, turn }: WatchedView,
  { at, language, session }: { readonly session: string; readonly language: Language; readonly at: number },
): LiveEvent {
  return {
    session,
    turn,
    blocks: readBlocks(text.slice(-maxText)),
    steps: tools.slice(-maxSteps).map((tool) => describeStep(tool, language)),
    at,
  };
}

function describeStep(tool: ToolActivity, language: Language): LiveStep {
  const { agent, ended, id, name, note, status, summary, timingMs } = tool;
  return {
    call: id,
    tool: nameTool(name, language),
    argument: toLine(summary, maxArgument),
    state: ended === undefined ? states[status] : "failed",
    ...(note !== undefined && { note: toLine(note, maxArgument) }),
    ...(timingMs !== undefined && { ms: timingMs }),
    ...(agent !== undefined && { agent: toLine(agent, maxName) }),
  };
}

const states: Readonly<Record<ToolActivity["status"], LiveStep["state"]>> = {
  writing: "writing",
  started: "open",
  done: "done",
  failed: "failed",
  denied: "failed",
  unknown: "failed",
};

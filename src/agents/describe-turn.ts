import { changesThings } from "../core/persona/changes-things.ts";
import type { ReplyTurn } from "../core/persona/reply-turn.ts";
import type { TurnStateValue } from "./state.ts";

type Facts = Pick<TurnStateValue, "transcript" | "input" | "instruction" | "mending" | "preferences">;

/**
 * The facts about the turn so far that the persona's judge needs. Whoever wrote in another language twice was probably
 * asked to, longer ago than the judge can see: a second draft may be in any.
 */
export function describeTurn({ transcript, input, instruction, mending, preferences }: Facts): ReplyTurn {
  const words = transcript.flatMap((message) => (message.role === "user" ? [message.text] : []));
  return {
    acted: transcript.some((message) => message.role === "tool" && message.ok && changesThings(message.tool)),
    worked: transcript.some((message) => message.role === "tool"),
    language: instruction === "" && !mending ? input.language : undefined,
    last: [preferences, input.text, ...words].join("\n"),
  };
}

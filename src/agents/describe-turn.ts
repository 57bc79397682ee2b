import type { ReplyTurn } from "../core/persona/validate-reply.ts";
import type { TurnStateValue } from "./state.ts";

/** The facts about the turn so far that the persona's judge needs. */
export function describeTurn({ transcript }: Pick<TurnStateValue, "transcript">): ReplyTurn {
  return { acted: transcript.some((message) => message.role === "tool" && message.ok) };
}

import type { ReplyTurn } from "../core/persona/validate-reply.ts";
import type { TurnStateValue } from "./state.ts";

/** What the persona's judge has to know of the turn so far. */
export function describeTurn({ transcript }: Pick<TurnStateValue, "transcript">): ReplyTurn {
  return { acted: transcript.some((message) => message.role === "tool" && message.ok) };
}

import type { ToolCall } from "../../../core/conversation.ts";
import type { TurnStateValue } from "../state.ts";

/** The call that rewinds the running turn. The feature worldlines brings the tool; the graph knows its name. */
export const dmailName = "dmail";
export const maxDMailsPerTurn = 3;

/** The arguments of the call. */
export interface DMailInput {
  /** The round to go back to; 0 for right after the person's message. */
  readonly checkpoint: number;
  /** The text for the earlier self. */
  readonly message: string;
}

/**
 * Why a D-Mail prevents a call of this round. Returns undefined when it does not. A D-Mail must be alone: with other
 * calls nothing of the round runs, because the model was about to forget their effects.
 */
export function whyNotSent(
  { requested, checkpoints, dmails }: Pick<TurnStateValue, "requested" | "checkpoints" | "dmails">,
  { name, arguments: given }: ToolCall,
): string | undefined {
  const isBeside = requested.length > 1 && requested.some((call) => call.name === dmailName);
  if (isBeside && name !== dmailName)
    return "This did not run: it came in one round with dmail, which must be alone. Nothing of the round ran.";
  if (isBeside)
    return "dmail must be the only call of its round. It was not sent, and nothing else of the round ran either.";
  if (name !== dmailName) return undefined;
  if (dmails >= maxDMailsPerTurn)
    return `The ${maxDMailsPerTurn} D-Mails of this turn are used up. Go on with what you have.`;
  const { checkpoint } = given;
  const known = [0, ...checkpoints.map(({ round }) => round)];
  // The tool's schema refuses anything but a number.
  if (typeof checkpoint !== "number" || known.includes(checkpoint)) return undefined;
  return `There is no checkpoint ${checkpoint} in this turn. There are: ${known.join(", ")}.`;
}

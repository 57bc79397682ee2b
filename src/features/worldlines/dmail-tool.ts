import { z } from "zod";
import { defineTool } from "../../tools/define-tool.ts";
import type { Tool } from "../../tools/types.ts";
import type { ToolCall } from "../../core/conversation.ts";
import type { TurnStateValue } from "../../agents/state.ts";

export const dmailName = "dmail";
export const dmailsPerTurn = 3;

const input = z.strictObject({
  checkpoint: z.number().int().min(0).describe("Where to go back to."),
  message: z.string().trim().min(1).max(4_000).describe("What your earlier self must know."),
});

export type DMailInput = z.infer<typeof input>;

/** A message to oneself, earlier in this turn. That it was sent is all that happens here; `close-round.ts` edits the state. */
export function createDMailTool(): Tool<DMailInput> {
  return defineTool({
    name: dmailName,
    description: {
      zh: `给这一轮里更早的自己发一条消息:那个 checkpoint 之后的内容会从上下文里消失,只留下这条消息。走错了路、或者读了一大堆没用的东西时用。checkpoint 0 是对方刚说完话的时候,N 是工具结果里写着 "checkpoint":N 的地方,只算这一轮的。已经发生的事不会撤销。必须单独调用,每轮最多 ${dmailsPerTurn} 次。`,
      en: `Send a message to your earlier self in this turn: everything after that checkpoint leaves your context, only the message stays. For when you took a wrong path or read much that was of no use. Checkpoint 0 is right after the person's message, N is where a tool result says "checkpoint":N, of this turn only. What already happened is not undone. It must be the only call of its round; at most ${dmailsPerTurn} in a turn.`,
    },
    input,
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "gateway",
    // Wherever calls are shown, people read this and not the message.
    summarize: () => "El Psy Kongroo",
    detail: ({ checkpoint, message }) => `D-Mail → ${checkpoint}: ${message}`,
    run: ({ checkpoint }) => Promise.resolve({ ok: true as const, output: { checkpoint } }),
  });
}

/**
 * Why a call of this round cannot be made because of a D-Mail; undefined = it can. A D-Mail stands alone: with other calls
 * beside it nothing of the round runs, since the model was about to forget what they do.
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
  if (dmails >= dmailsPerTurn)
    return `The ${dmailsPerTurn} D-Mails of this turn are used up. Go on with what you have.`;
  const { checkpoint } = given;
  const known = [0, ...checkpoints.map(({ round }) => round)];
  // Anything that is no number is told by the rule of its argument.
  if (typeof checkpoint !== "number" || known.includes(checkpoint)) return undefined;
  return `There is no checkpoint ${checkpoint} in this turn. There are: ${known.join(", ")}.`;
}

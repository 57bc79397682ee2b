import type { Kysely } from "kysely";
import type { ToldSituation } from "../../core/persona/persona.ts";
import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import { listLedger } from "../../store/queries/ledger.ts";
import type { Database } from "../../store/schema/database.ts";
import type { TurnResult } from "../agent/types.ts";
import { describeReached } from "./describe-limits.ts";
import type { PersonaWrapper } from "../tools/persona-wrapper.ts";

/** Failures that only the operator can fix, and that do not pass with time. */
const forOperators: ReadonlySet<string> = new Set(["MODEL_REFUSED_KEY", "MODEL_NO_CREDIT", "MODEL_NOT_FOUND"]);

/** Failures that only the server's own message explains. The operator gets that message in full. */
const toldInFull: ReadonlySet<string> = new Set([
  "MODEL_REFUSED_REQUEST",
  "MODEL_TOO_LONG",
  "MODEL_UNAVAILABLE",
  "MODEL_NOT_FOUND",
]);

export function needsOperator(code: string): boolean {
  return forOperators.has(code);
}

/** Explains why no model answered. Only the operator hears of keys and bills. */
export function describeOutage(code: string, { outage }: Pick<Words, "outage">, operator: boolean): string | undefined {
  if (needsOperator(code) && !operator) return outage.forOthers;
  switch (code) {
    case "MODEL_UNAVAILABLE":
      return outage.unreachable;
    case "MODEL_LIMITED":
      return outage.limited;
    case "MODEL_REFUSED_KEY":
      return outage.keyRefused;
    case "MODEL_NO_CREDIT":
      return outage.noCredit;
    case "MODEL_NOT_FOUND":
      return outage.notFound;
    case "MODEL_TOO_LONG":
      return outage.tooLong;
    case "MODEL_REFUSED_REQUEST":
      return outage.refused;
    default:
      return undefined;
  }
}

/** The text for the person when a turn fails: the reason without a stack, and the calls that may have run. */
export async function describeFailure(
  db: Kysely<Database>,
  turn: string,
  { code, message, reached }: Pick<Extract<TurnResult, { kind: "failed" }>, "code" | "message" | "reached">,
  context: {
    readonly chat: string;
    readonly language: Language;
    readonly owner: boolean;
    /** True for an owner in a private chat. */
    readonly operator: boolean;
  },
  voice: PersonaWrapper,
): Promise<string> {
  const words = wordsFor(context.language).turn;
  const unsure = (await listLedger(db, turn)).filter((row) => row.state === "started").map((row) => row.tool);
  const lines: string[] = [];
  /** The persona speaks once, before the first line. */
  const say = (situation: ToldSituation, text: string): void =>
    void lines.push(lines.length === 0 ? voice.tell(context, situation, text) : text);
  if (unsure.length > 0) say("unknown", words.unknownOutcome(unsure.join(", ")));
  if (reached) say("spent", describeReached(reached, wordsFor(context.language), context.owner));
  const outage = describeOutage(code, wordsFor(context.language), context.operator);
  // Other people get no reason, and the persona's words for a failure announce one.
  if (outage !== undefined && needsOperator(code) && !context.operator) lines.push(outage);
  else if (outage !== undefined) say(code === "MODEL_UNAVAILABLE" ? "modelDown" : "failed", outage);
  if (toldInFull.has(code) && context.operator)
    lines.push(wordsFor(context.language).outage.serverWords(message.replace("No model answered. ", "")));
  if (code === "PUT_ASIDE") lines.unshift(voice.error(context, words.putAside(turn)));
  return lines.length === 0 ? voice.error(context, words.failed(turn)) : lines.join("\n");
}

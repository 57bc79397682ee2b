import { AIMessage, HumanMessage, SystemMessage, type BaseMessage } from "@langchain/core/messages";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { enforceReply } from "../../core/persona/enforce-reply.ts";
import type { Persona } from "../../core/persona/persona.ts";
import { createSentenceStream } from "../../core/persona/sentence-stream.ts";
import { createSpokenPersona } from "../../core/persona/spoken-persona.ts";
import { buildSystemPrompt } from "../../core/persona/system-prompt.ts";
import { learnTone } from "../../core/persona/tone/tone-finder.ts";
import { judgeReply, type BreakKind } from "../../core/persona/validate-reply.ts";
import { detectLanguage } from "../../core/words/detect-language.ts";
import { describeTurn } from "../../kernel/agent/describe-turn.ts";
import type { BudgetOptions } from "../../models/budget-options.ts";
import { estimateTokens } from "../../core/estimate-tokens.ts";
import { estimateRequest } from "../../models/estimate-request.ts";
import { priceUsage } from "../../models/price-usage.ts";
import type { ModelAnswer, Models } from "../../models/types.ts";

interface TriedSentence {
  readonly reply: string;
  /** The first answer of the model, and why it breaks the role; no kinds = it does not. */
  readonly draft: string;
  readonly kinds: readonly BreakKind[];
  readonly isSecond: boolean;
  readonly isFallback: boolean;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cost: number | undefined;
  readonly ms: number;
}

interface Asking {
  readonly persona: Persona;
  readonly text: string;
  readonly language?: Language | undefined;
}

interface TryParts {
  /** The models that answer chats, within the budget. */
  readonly models: Models;
  readonly prices: () => BudgetOptions["prices"];
  readonly clock: Clock;
}

const million = 1_000_000;
/** Tokens of a usual answer. */
const defaultAnswer = 300;

/** The tokens and the cost of a try, as far as they can be known before. */
export function estimateTry({ models, prices }: Pick<TryParts, "models" | "prices">, asking: Asking) {
  const input = estimateRequest({ messages: listMessages(asking, findLanguage(asking)), tools: [] });
  const model = models.status()[0]?.model ?? "";
  const usage = { input, output: defaultAnswer, cachedInput: 0 };
  return { model, input, output: defaultAnswer, cost: costOf(prices(), [{ model, usage }]) };
}

/**
 * Has the model that answers chats reply to one sentence as this persona, and treats the reply as one in a chat: it is
 * judged, mended, and asked for once more where too little is left. Only its usage is stored, on the console's owner.
 */
export async function trySentence(parts: TryParts, asking: Asking, signal: AbortSignal): Promise<TriedSentence> {
  const { persona, text } = asking;
  const language = findLanguage(asking);
  const startedAt = parts.clock.now();
  await learnTone(persona);
  const spoken = createSpokenPersona(() => persona)("", language);
  const facts = {
    input: { language, text },
    transcript: [],
    effects: [],
    openings: [],
    preferences: "",
    mending: false,
  };
  const messages = listMessages(asking, language);
  const spent: Spent[] = [];
  const ask = async (asked: readonly BaseMessage[]): Promise<ModelAnswer> => {
    const payer = { id: consoleOwner, owner: true };
    const answer = await parts.models.ask({ messages: asked, tools: [], language, payer, signal }, () => undefined);
    spent.push({ model: answer.model, usage: countUsage(answer, asked) });
    return answer;
  };

  const first = await ask(messages);
  const judge = spoken.createJudge(describeTurn({ ...facts, instruction: "" }));
  const verdict = judgeReply(first.text, judge);
  const given = { language, fallback: pickFallback(persona, language) };
  const shown = streamText(first.text, judge, "");
  let enforced = enforceReply({ ...given, draft: first.text, judge, attempt: 1, shown });
  let last = first;
  if (enforced.kind === "ask-again") {
    const note = new HumanMessage(`[record] ${enforced.instruction}`);
    const draft = first.text === "" ? [] : [new AIMessage(first.text)];
    last = await ask([...messages, ...draft, note]);
    const { instruction, shown: after } = enforced;
    const second = { judge: spoken.createJudge(describeTurn({ ...facts, instruction })), after };
    const both = streamText(last.text, second.judge, second.after);
    enforced = enforceReply({ ...given, ...second, draft: last.text, attempt: 2, shown: both });
  }
  if (enforced.kind === "ask-again") throw new Error("a second draft was sent back");
  const sum = (kind: "input" | "output"): number => spent.reduce((all, { usage }) => all + usage[kind], 0);
  return {
    reply: enforced.text.trim(),
    draft: first.text.trim(),
    kinds: verdict.verdict === "ok" ? [] : verdict.kinds,
    isSecond: spent.length > 1,
    isFallback: enforced.fellBack === true,
    model: last.model,
    input: sum("input"),
    output: sum("output"),
    cost: costOf(parts.prices(), spent),
    ms: parts.clock.now() - startedAt,
  };
}

interface Spent {
  readonly model: string;
  readonly usage: ModelAnswer["usage"];
}

const findLanguage = ({ language, persona, text }: Asking): Language =>
  language ?? detectLanguage(text, undefined, persona.languages[0] ?? "zh");

const listMessages = ({ persona, text }: Asking, language: Language): readonly BaseMessage[] => [
  new SystemMessage(buildSystemPrompt(persona, { language })),
  new HumanMessage(text),
];

/** The part that people would have seen by the time it was whole. */
function streamText(text: string, judge: Parameters<typeof judgeReply>[1], after: string): string {
  const stream = createSentenceStream({ judge, onText: () => undefined, after });
  stream.push(text);
  return stream.end().shown;
}

/** The same as the budget counts where a server does not say. */
function countUsage({ text, usage }: ModelAnswer, messages: readonly BaseMessage[]): ModelAnswer["usage"] {
  if (usage.input > 0 || usage.output > 0) return usage;
  return { input: estimateRequest({ messages, tools: [] }), output: estimateTokens(text), cachedInput: 0 };
}

/** Undefined where a model has no price. */
function costOf(prices: BudgetOptions["prices"], spent: readonly Spent[]): number | undefined {
  if (spent.some(({ model }) => prices[model] === undefined)) return undefined;
  return spent.reduce((sum, { model, usage }) => sum + priceUsage(prices, model, usage), 0) / million;
}

function pickFallback({ languages, phrases }: Persona, language: Language): string {
  const native = phrases[language] ?? phrases[languages[0] ?? "zh"];
  return native?.fallback[0] ?? "……";
}

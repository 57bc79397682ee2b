import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import type { PersonaWrapper } from "../../tools/persona-wrapper.ts";
import type { ToolRegistry } from "../../tools/registry.ts";
import { explainMore, explainWhy, listSources } from "./explain-question.ts";

export type WordQuestion = (question: Question, session: SessionRow, language: Language) => string;

/** Puts a question into the persona's voice; what would run is shown from the bytes the approval is bound to. */
export function createWordQuestion(parts: {
  readonly voice: () => PersonaWrapper;
  readonly registry: ToolRegistry;
  /** Seconds a command may run when its call names no time. */
  readonly usualSeconds: number;
  /** IANA time zone in which times are told. */
  readonly zone: string;
}): WordQuestion {
  const secondsOf = (given: unknown) => (typeof given === "number" ? given : parts.usualSeconds);
  const describeUntil = ({ code, createdAt, deadline }: Question, language: Language) => {
    const open = deadline - createdAt;
    // Where seconds count, the clock face has them too.
    const timeStyle = open < 60_000 ? "medium" : "short";
    const time = new Intl.DateTimeFormat("sv-SE", { timeZone: parts.zone, timeStyle }).format(deadline);
    const words = wordsFor(language);
    return words.approval.validUntil({ code, term: words.duration(open), time });
  };
  return (question, session, language) =>
    parts.voice().question({
      chat: session.id,
      language,
      calls: question.calls.map(({ tool, detail }) => ({
        tool,
        detail,
        place: parts.registry.find(tool)?.place ?? "gateway",
      })),
      sandbox: {
        seconds: Math.max(...question.calls.map((call) => secondsOf(call.arguments["timeout"]))),
        network: [...new Set(question.calls.flatMap((call) => call.network))].toSorted(),
      },
      preview: question.calls.some(({ tool }) => parts.registry.find(tool)?.onCopy !== undefined),
      code: question.code,
      expiresAt: question.deadline,
      now: question.createdAt,
      readSources: listSources(question),
      why: explainWhy(question, session, wordsFor(language)),
      until: describeUntil(question, language),
      more: explainMore(question, session, wordsFor(language)),
      ...(question.agent !== null && { agent: question.agent }),
      // Others answer, too, when it has terms of its own; they are named among the reasons.
      ...(session.chat_kind === "group" && question.terms === null && { asker: question.askerName }),
    });
}

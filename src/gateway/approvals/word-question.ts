import type { Language } from "../../core/conversation.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import type { PersonaWrapper } from "../../tools/persona-wrapper.ts";
import type { ToolRegistry } from "../../tools/registry.ts";

export type WordQuestion = (question: Question, session: SessionRow, language: Language) => string;

/** Puts a question into the persona's voice; what would run is shown from the bytes the approval is bound to. */
export function createWordQuestion(parts: {
  readonly voice: () => PersonaWrapper;
  readonly registry: ToolRegistry;
  /** Seconds a command may run when its call names no time. */
  readonly usualSeconds: number;
}): WordQuestion {
  const secondsOf = (given: unknown) => (typeof given === "number" ? given : parts.usualSeconds);
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
      ...(question.agent !== null && { agent: question.agent }),
      ...(session.chat_kind === "group" && { asker: question.askerName }),
    });
}

import { previewWords } from "./words.ts";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Store } from "../../store/open-store.ts";
import { findQuestion, type Question } from "../../store/queries/questions.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { ToolPreviewer } from "./previewer.ts";
import type { PreviewResult, Previews } from "../../kernel/questions/previews.ts";
import { describeClosed } from "../../kernel/questions/render-status.ts";
import { queueMessage } from "../../kernel/outbox/outbox.ts";
import { JobAborted } from "../../kernel/lanes/session-lanes.ts";
import type { WorkRecord } from "../../kernel/recovery/work-record.ts";
import { toAddress } from "../../channels/to-address.ts";
import type { ParkedTurns } from "../../kernel/questions/parked-turns.ts";
import { describePreview } from "./render-preview.ts";

/**
 * Previews of open questions. They run in parallel with the lanes, so that no message waits for one, one at a time for
 * each question; the question and its deadline stay as they are. A restart drops them.
 */
interface PreviewQuestions extends Previews {
  /** Ends all of them and waits until they are gone. */
  stop(): Promise<void>;
}

type AskedPreview = Parameters<Previews["begin"]>[0];

/** How long an approval waits for the comparison with its preview. */
const comparisonMs = 3_000;

export function createPreviewQuestions(parts: {
  readonly store: Store;
  readonly previewer: ToolPreviewer;
  readonly endQuestion: ParkedTurns["end"];
  readonly wakeOutbox: (session: string) => void;
  readonly work: Pick<WorkRecord, "during">;
  readonly zone: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}): PreviewQuestions {
  const { store, previewer, clock, log } = parts;
  const running = new Map<
    string,
    { readonly session: string; readonly abort: AbortController; ended: Promise<void> }
  >();

  async function run(asked: AskedPreview, signal: AbortSignal): Promise<void> {
    const { cause, question, receive } = asked;
    const session = await findSession(store.main, question.session);
    if (!session) return receive?.({ kind: "stopped", text: "" });
    const language = asked.language ?? (session.language as Language);
    const result = await tryOut(asked, language, signal);
    if (receive) return receive(result);
    const text = await writeMessage(result, question, language, session.platform, signal);
    if (text === undefined) return;
    const answered = session.chat_kind === "group" && question.promptMessage !== null;
    const replyTo = answered ? { replyTo: question.promptMessage ?? "" } : {};
    const message = { id: `${cause}.preview`, kind: "notice", address: toAddress(session), cause, text } as const;
    await queueMessage(store.main, { ...message, plain: false, ...replyTo }, clock.now());
    parts.wakeOutbox(question.session);
  }

  async function tryOut(
    { question, person }: AskedPreview,
    language: Language,
    signal: AbortSignal,
  ): Promise<PreviewResult> {
    const texts = previewWords[language];
    try {
      const cutOff = (await previewer.wasCutOff(question)) ? [texts.cutOff] : [];
      const report = await previewer.preview({ question, person, language, zone: parts.zone(), signal });
      if (report.kind === "stopped") return { kind: "stopped", text: texts.stopped(question.code) };
      const shown = describePreview(report, question.code, language);
      const kind = report.kind === "used" ? "ran" : "refused";
      return { kind, text: [...cutOff, shown, texts.nothingReal].join("\n") };
    } catch (error) {
      log.error({ err: error, question: question.id }, "a preview failed");
      return { kind: "broken", text: [texts.broken, texts.nothingReal].join("\n") };
    }
  }

  /** Returns undefined if no report is needed: a stop sends its own answer, but a one-shot client waits for one here. */
  async function writeMessage(
    { kind, text }: PreviewResult,
    question: Question,
    language: Language,
    platform: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (kind !== "stopped") return `${text}\n${await describeState(question, language)}`;
    const byPerson = signal.reason instanceof JobAborted && signal.reason.kind === "stop";
    return byPerson && platform === "cli" ? text : undefined;
  }

  /** By now the question may have been answered, or have ended. */
  async function describeState(question: Question, language: Language): Promise<string> {
    const words = wordsFor(language);
    const now = (await findQuestion(store.main, question.id)) ?? question;
    if (now.state !== "open") return describeClosed(now, { words, language }).text;
    const term = words.duration(now.deadline - clock.now());
    return previewWords[language].stillOpen({ code: now.code, term });
  }

  const listOf = (session: string) => [...running.values()].filter((one) => one.session === session);

  let isStopping = false;
  return {
    supports: previewer.supports,
    async begin(asked) {
      const question = await findQuestion(store.main, asked.question.id);
      if (question?.state !== "open") return { kind: "closed", question: question ?? asked.question };
      if (question.deadline <= clock.now()) {
        return { kind: "expired", told: await parts.endQuestion(question, "expiry", "gateway", asked.cause) };
      }
      const tools = [...new Set(question.calls.map(({ tool }) => tool))];
      if (!previewer.supports(tools)) return { kind: "unsupported", calls: tools.join(", ") };
      if (running.has(question.id)) return { kind: "running" };
      // The row of the wish is left unfinished, so that the next start takes it up.
      if (isStopping) throw new AppError("INTERNAL", "Kurisu is stopping; the preview begins after the next start.");
      const abort = new AbortController();
      const announced = asked.announce?.() ?? Promise.resolve();
      const ended = announced
        .then(() => parts.work.during(`preview:${asked.question.id}`, () => run(asked, abort.signal)))
        .catch(async (error: unknown) => {
          log.error({ err: error, question: question.id }, "a preview could not be told");
          await asked.receive?.({ kind: "broken", text: "" });
        })
        .then(() => void running.delete(question.id));
      running.set(question.id, { session: question.session, abort, ended });
      await announced;
      return { kind: "started" };
    },
    isRunning: (session) => listOf(session).length > 0,
    abort(session) {
      const ours = listOf(session);
      for (const { abort } of ours) abort.abort(new JobAborted("stop"));
      return ours.length > 0;
    },
    isOutdated: (question) => previewer.isOutdated(question, AbortSignal.timeout(comparisonMs)),
    async stop() {
      isStopping = true;
      for (const { abort } of running.values()) abort.abort(new JobAborted("shutdown"));
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

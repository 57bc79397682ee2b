import { z } from "zod";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import type {
  ConsoleDecided,
  ConsoleDecider,
  ConsoleDecisions,
  ConsolePreviewStart,
} from "../../kernel/questions/decide-at-console.ts";
import { describeDecisionFault } from "../../kernel/questions/render-status.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { findQuestion, listClosedSince, listOpenQuestions, type Question } from "../../store/queries/questions.ts";
import { createCardPreviews } from "./card-previews.ts";
import { readJson, refuse, type ConsoleContext, type Route } from "../door/guard.ts";
import type { SignedIn } from "../door/sessions.ts";
import { findOwnRows } from "../door/own-rows.ts";
import { findLanguage } from "../door/find-language.ts";
import type { QuestionsView, QuestionView, RefusedDecision } from "../views/question-views.ts";
import { showQuestions, type ShowParts } from "./show-question.ts";

export interface QuestionParts extends Omit<ShowParts, "mayApprove" | "supportsPreview" | "findPreview"> {
  readonly decisions: ConsoleDecisions;
  readonly language: () => Language;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}

const dayMs = 24 * 3_600_000;
const maxClosed = 20;
const maxCalls = 100;

const number = z.int().min(1).max(maxCalls);
const shownCalls = z.array(z.strictObject({ call: z.string().max(500), hash: z.string().max(500) })).max(maxCalls);
const previewRequest = z.strictObject({ calls: shownCalls });
const request = z
  .strictObject({
    decision: z.enum(["approved", "rejected"]),
    calls: shownCalls,
    numbers: z.array(number).min(1).max(maxCalls).optional(),
    grant: z
      .union([
        z.strictObject({ kind: z.literal("time"), ms: z.int().min(1) }),
        z.strictObject({ kind: z.literal("task") }),
      ])
      .optional(),
  })
  .refine(({ decision, grant }) => decision === "approved" || grant === undefined);

/** Questions that wait for approval, and their answers. A member sees their own requests. */
export function listQuestionRoutes(parts: QuestionParts): readonly Route[] {
  const { clock, decisions, store } = parts;
  const previews = createCardPreviews(parts);
  const { mayApprove, supportsPreview } = decisions;

  async function findDecider(login: SignedIn): Promise<ConsoleDecider> {
    const rows = await findOwnRows(store.main, login);
    if (rows.kind === "all") return { kind: "owner", account: login.account };
    return { kind: "member", account: login.person, accounts: rows.accounts };
  }

  const isTheirs = ({ asker }: Question, by: ConsoleDecider): boolean =>
    by.kind === "owner" || by.accounts.includes(asker);

  async function show(context: ConsoleContext, login: SignedIn, questions: readonly Question[]) {
    const by = await findDecider(login);
    const reader = { person: login.account, language: findLanguage(context, parts.language()) };
    const owners = { supportsPreview, findPreview: previews.find };
    const members = { supportsPreview: () => false, findPreview: () => undefined };
    return showQuestions(
      { ...parts, mayApprove: (question) => mayApprove(question, by), ...(by.kind === "owner" ? owners : members) },
      questions.filter((question) => isTheirs(question, by)),
      reader,
    );
  }

  async function answerWish(
    context: ConsoleContext,
    login: SignedIn,
    decided: ConsoleDecided | ConsolePreviewStart,
  ): Promise<Response> {
    if (!("question" in decided))
      return decided.kind === "unknown"
        ? refuse(context, 404, "There is no such question.")
        : refuse(context, 423, "Everything is paused; no answer runs anything, and no preview does.");
    // The answer may be older than the question: it is shown as it is now.
    const now = (await findQuestion(store.main, decided.question.id)) ?? decided.question;
    const [question] = await show(context, login, [now]);
    if (question === undefined) throw new Error("a question was not shown");
    const with409 = (refused: RefusedDecision) => context.json(refused, 409);
    switch (decided.kind) {
      case "decided":
      case "voted":
        return context.json(question satisfies QuestionView);
      case "started": {
        const detail = { login: login.id, question: question.id, code: question.code };
        await appendAudit(store.main, { actor: consoleOwner, action: "preview.asked", detail, now: clock.now() });
        return context.json(question satisfies QuestionView, 202);
      }
      case "running":
        return with409({ code: "running", message: "Its preview is still running.", question });
      case "unsupported":
        return with409({ code: "unsupported", message: "None of its calls can be tried out.", question });
      case "changed":
        return with409({ code: "changed", message: "The question has other calls than were shown.", question });
      case "closed":
        if (question.end === undefined) throw new Error("a closed question has no end");
        return with409({ code: "closed", message: "It was answered or ended before.", question, ...question.end });
      case "expired":
        return context.json(
          { code: "expired", message: "Its time has passed.", question } satisfies RefusedDecision,
          410,
        );
      case "forbidden":
        return context.json(
          { code: "forbidden", message: "It needs another person's word.", question } satisfies RefusedDecision,
          403,
        );
      case "refused": {
        const language = findLanguage(context, parts.language());
        const { text } = describeDecisionFault(decided.why, { language, words: wordsFor(language) });
        return context.json({ code: "invalid", message: text, question } satisfies RefusedDecision, 400);
      }
    }
  }

  return [
    {
      method: "GET",
      path: "/questions",
      role: "self",
      async answer(context, login) {
        const now = clock.now();
        const by = await findDecider(login);
        const open = (await listOpenQuestions(store.main)).filter((question) => isTheirs(question, by));
        const askers = by.kind === "member" ? by.accounts : undefined;
        const closed = await listClosedSince(store.main, now - dayMs, maxClosed, askers);
        const shown = await show(context, login, [...open.toSorted((a, b) => a.deadline - b.deadline), ...closed]);
        const view: QuestionsView = { now, open: shown.slice(0, open.length), closed: shown.slice(open.length) };
        return context.json(view);
      },
    },
    {
      method: "GET",
      path: "/questions/:id",
      role: "self",
      async answer(context, login) {
        const question = await findQuestion(store.main, context.req.param("id") ?? "");
        const [shown] = question ? await show(context, login, [question]) : [];
        return shown ? context.json(shown) : refuse(context, 404, "There is no such question.");
      },
    },
    {
      method: "POST",
      path: "/questions/:id/decision",
      role: "self",
      async answer(context, login) {
        const given = request.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "The decision or the calls that were shown are missing.");
        const { calls, decision, grant, numbers } = given.data;
        const decided = await decisions.decide({
          question: context.req.param("id") ?? "",
          decision,
          shown: calls,
          login: login.id,
          by: await findDecider(login),
          ...(numbers && { numbers }),
          ...(grant && { grant }),
        });
        return answerWish(context, login, decided);
      },
    },
    {
      method: "POST",
      path: "/questions/:id/preview",
      role: "owner",
      async answer(context, login) {
        const given = previewRequest.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "The calls that were shown are missing.");
        const start = await previews.begin({
          question: context.req.param("id") ?? "",
          shown: given.data.calls,
          language: findLanguage(context, parts.language()),
        });
        return answerWish(context, login, start);
      },
    },
  ];
}

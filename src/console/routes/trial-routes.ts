import { basename } from "node:path";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { createReplyCheck } from "../../core/persona/check-reply.ts";
import { listPersonaFolders, type PersonaFolders } from "../../core/persona/find-personas.ts";
import type { PersonaDrafts, PersonaResult } from "../../core/persona/load-persona.ts";
import type { Persona } from "../../core/persona/persona.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { learnTone } from "../../core/persona/tone/tone-finder.ts";
import { explainLore } from "../../core/persona/lorebook/explain-lore.ts";
import type { BudgetOptions } from "../../models/budget-options.ts";
import { LimitReached } from "../../models/limit-reached.ts";
import type { Models } from "../../models/types.ts";
import { findPause } from "../../store/queries/pause.ts";
import type { Store } from "../../store/open-store.ts";
import { personaFiles } from "../personas/persona-editor.ts";
import { refuseSecrets } from "../personas/refuse-secrets.ts";
import { readJson, refuse, type ConsoleContext, type Route } from "../door/guard.ts";
import { estimateTry, trySentence } from "../trials/try-sentence.ts";
import type {
  FaultyPersonaView,
  LoreTestView,
  ReplyCheckView,
  TriedView,
  TryEstimateView,
  TryRefusalView,
} from "../views/trial-views.ts";
import { showLore } from "./show-trials.ts";

export interface TrialParts {
  readonly trials: {
    readonly folders: () => PersonaFolders;
    readonly readPersona: (folder: string, drafts: PersonaDrafts) => PersonaResult;
    /** The models that answer chats, within the budget. */
    readonly models: Models;
    /** Takes secrets out, which a draft can name as ${VARIABLE}. */
    readonly scrub: (text: string) => string;
    /** Reads the configuration again. */
    readonly reload: () => void;
  };
  readonly budget: () => Pick<BudgetOptions, "prices">;
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
}

const maxText = 4_000;
const maxReply = 20_000;
const maxBody = 4 * 1024 * 1024;

const wellFormed = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed());
const drafts = z.partialRecord(z.enum(personaFiles), wellFormed(1_000_000)).default({});
const text = wellFormed(maxText);
const checkRequest = z.strictObject({ reply: wellFormed(maxReply), last: text.optional(), drafts });
const language = z.enum(["zh", "en", "ja"]).optional();
const estimateRequest = z.strictObject({ text, drafts, language });
const tryRequest = z.strictObject({ text: text.refine((value) => value.trim() !== ""), drafts, language });
const loreRequest = z.strictObject({ text, drafts });

/** Trials of a persona, also with texts that are not saved. Nothing but usage is stored. */
export function listTrialRoutes({ budget, clock, store, trials }: TrialParts): readonly Route[] {
  const trying = new Set<string>();
  const show = (text: string): string => makeVisible(trials.scrub(text).toWellFormed());
  /** Reads the request and its persona, and answers a request that is refused. */
  async function read<Given extends { readonly drafts: PersonaDrafts }>(
    context: ConsoleContext,
    schema: z.ZodType<Given>,
    answer: (persona: Persona, given: Given) => Promise<Response>,
  ): Promise<Response> {
    const given = schema.safeParse(await readJson(context, maxBody));
    if (!given.success) return refuse(context, 400, `Say a text of ${maxText} characters at most.`);
    const folder = listPersonaFolders(trials.folders()).get(context.req.param("id") ?? "");
    if (folder === undefined) return refuse(context, 404, "There is no such persona.");
    const result = refuseSecrets(trials.readPersona(folder, given.data.drafts), folder, trials.scrub);
    if (result.kind === "loaded") return answer(result.persona, given.data);
    const view: FaultyPersonaView = {
      code: "faulty",
      message: "The persona has faults.",
      faults: result.faults.map(({ column, file, key, line, problem }) => ({
        file: basename(file),
        line,
        column,
        key: show(key),
        problem: show(problem),
      })),
    };
    return context.json(view, 422);
  }

  const stop = (context: ConsoleContext, status: 409 | 423 | 503, view: TryRefusalView): Response =>
    context.json(view, status);
  const prices = () => budget().prices;
  const hasModels = (): boolean => !trials.models.offline;

  return [
    {
      method: "POST",
      path: "/personas/:id/reply-check",
      role: "owner",
      answer: (context) =>
        read(context, checkRequest, async (persona, { last, reply }) => {
          await learnTone(persona);
          const view: ReplyCheckView = createReplyCheck(persona)({ reply, last });
          return context.json(view);
        }),
    },
    {
      method: "POST",
      path: "/personas/:id/try/estimate",
      role: "owner",
      answer: (context) =>
        read(context, estimateRequest, async (persona, given) => {
          const { cost, ...estimate } = estimateTry({ models: trials.models, prices }, { persona, ...given });
          const view: TryEstimateView = {
            ...estimate,
            ...(cost !== undefined && { cost }),
            isOffline: !hasModels(),
            hasLorebook: persona.lorebook !== undefined,
          };
          return context.json(view);
        }),
    },
    {
      method: "POST",
      path: "/personas/:id/try",
      role: "owner",
      answer: (context, login) =>
        read(context, tryRequest, async (persona, given) => {
          if (!hasModels()) return stop(context, 409, { code: "offline", message: "No model is connected." });
          if (await findPause(store.main)) return stop(context, 423, { code: "paused", message: "She is paused." });
          if (trying.has(login.id)) return stop(context, 409, { code: "busy", message: "Another try runs." });
          const { signal } = context.req.raw;
          trying.add(login.id);
          try {
            const parts = { models: trials.models, prices, clock };
            const { cost, kinds, ...tried } = await trySentence(parts, { persona, ...given }, signal);
            const view: TriedView = {
              ...tried,
              ...(cost !== undefined && { cost }),
              verdict: kinds.length === 0 ? "ok" : "break",
              kinds,
              reply: show(tried.reply),
              draft: show(tried.draft),
              enforced: tried.reply !== tried.draft,
            };
            return context.json(view);
          } catch (error) {
            if (signal.aborted) return refuse(context, 400, "The browser did not wait for the answer.");
            if (!(error instanceof AppError)) throw error;
            const message = show(error.message);
            if (error instanceof LimitReached) return stop(context, 409, { code: "spent", message });
            return stop(context, 503, { code: "no-answer", message });
          } finally {
            trying.delete(login.id);
          }
        }),
    },
    {
      method: "POST",
      path: "/personas/:id/lore-test",
      role: "owner",
      answer: (context) =>
        read(context, loreRequest, async (persona, given) => {
          const { lorebook } = persona;
          const view: LoreTestView =
            lorebook === undefined
              ? { kind: "none" }
              : { kind: "tested", ...showLore(explainLore(lorebook, persona, given.text)) };
          return context.json(view);
        }),
    },
  ];
}

import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import type { StrangerRequests } from "../../kernel/people/stranger-requests.ts";
import { acceptCode } from "../../kernel/people/accept-code.ts";
import type { SystemReplies } from "../../kernel/outbox/system-replies.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { turnAway } from "../../store/queries/people.ts";
import type { Store } from "../../store/open-store.ts";
import { findLanguage } from "../door/find-language.ts";
import { readJson, refuse, type Route } from "../door/guard.ts";
import type { RequestAnswerView } from "../views/today-views.ts";

export interface StrangersParts {
  readonly store: Store;
  readonly systemReplies: Pick<SystemReplies, "tell">;
  readonly strangers: readonly StrangerRequests[];
  readonly language: () => Language;
  readonly clock: Clock;
}

const answer = z.strictObject({ accept: z.boolean() });
const answerToCode = z.strictObject({ accept: z.boolean(), code: z.string().max(100) });

/** Strangers who wait for the owner: those with a code, and the requests of platforms. */
export function listStrangersRoutes(parts: StrangersParts): readonly Route[] {
  const { clock, store } = parts;
  const audit = (action: string, detail: Readonly<Record<string, string | boolean>>) =>
    appendAudit(store.main, { actor: consoleOwner, action, detail, now: clock.now() });

  return [
    {
      method: "POST",
      path: "/pairings",
      role: "owner",
      async answer(context, login) {
        const given = answerToCode.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "Say which code, and whether to accept.");
        const { code } = given.data;
        const by = { login: login.id, accept: given.data.accept };
        if (!given.data.accept) {
          const name = await turnAway(store.main, code, clock.now());
          if (name === undefined) return refuse(context, 404, "Nobody waits with this code.");
          await audit("pairing.answered", by);
          return context.body(null, 204);
        }
        const accepted = await acceptCode(store, clock, code);
        if (accepted === undefined) return refuse(context, 404, "Nobody waits with this code.");
        await audit("pairing.answered", { ...by, person: accepted.person });
        const { name, session } = accepted;
        await parts.systemReplies.tell(`pairing:${code}`, session, ({ access }) => access.memberWelcome(name));
        return context.body(null, 204);
      },
    },
    {
      method: "POST",
      path: "/requests/:id",
      role: "owner",
      async answer(context, login) {
        const given = answer.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "Say whether to accept.");
        const id = context.req.param("id") ?? "";
        const keeper = await findKeeper(parts.strangers, id);
        if (keeper === undefined) return refuse(context, 404, "There is no such request any more.");
        const text = await keeper.answer({
          request: { id },
          accept: given.data.accept,
          by: { id: consoleOwner, name: "console", role: "owner" },
          cause: `console:${login.id}:${id}`,
          session: "console",
          language: findLanguage(context, parts.language()),
        });
        const view: RequestAnswerView = { text };
        return context.json(view);
      },
    },
  ];
}

async function findKeeper(all: readonly StrangerRequests[], id: string): Promise<StrangerRequests | undefined> {
  for (const one of all) if ((await one.list()).some((request) => request.id === id)) return one;
  return undefined;
}

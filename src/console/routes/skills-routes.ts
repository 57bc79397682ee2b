import { basename } from "node:path";
import { z } from "zod";
import { readBody } from "../../channels/read-body.ts";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { SkillDesk } from "../../features/skills/desk/skill-desk.ts";
import { archiveTooLarge, maxArchiveBytes } from "../../features/skills/store/read-archive.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import type { Store } from "../../store/open-store.ts";
import { findLanguage } from "../door/find-language.ts";
import { readJson, refuse, type Route } from "../door/guard.ts";
import { nameSessions } from "../names/name-sessions.ts";
import type { SkillsView } from "../views/skills-views.ts";
import { showReview, showSkill } from "./show-skills.ts";

export interface SkillsParts {
  readonly skills: SkillDesk;
  readonly store: Pick<Store, "main">;
  readonly language: () => Language;
  readonly clock: Clock;
}

const choiceRequest = z.strictObject({ skill: z.string().max(64), choice: z.enum(["on", "off", "auto"]) });
const installRequest = z.strictObject({ review: z.string().max(64), hash: z.string().max(64) });
const maxSourceName = 120;

/** The skills there are, the owner's choices, and archives that are reviewed before they are installed. */
export function listSkillsRoutes(parts: SkillsParts): readonly Route[] {
  const { clock, skills, store } = parts;
  const audit = (action: string, detail: Readonly<Record<string, string>>, session?: string) =>
    appendAudit(store.main, {
      actor: consoleOwner,
      action,
      ...(session !== undefined && { session }),
      detail,
      now: clock.now(),
    });
  return [
    {
      method: "GET",
      path: "/skills",
      role: "owner",
      async answer(context) {
        const all = await skills.list();
        const sessions = [...new Set(all.flatMap(({ choices }) => choices.map(({ session }) => session)))];
        const chats = await nameSessions(store.main, await findListedSessions(store.main, sessions));
        const view: SkillsView = {
          now: clock.now(),
          items: all.map((one) => showSkill(one, chats)),
          disabled: skills.listDisabled().map(({ id, problem }) => ({ id, problem: makeVisible(problem) })),
        };
        return context.json(view);
      },
    },
    {
      method: "PUT",
      path: "/sessions/:id/skills",
      role: "owner",
      async answer(context, login) {
        const given = choiceRequest.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "Say which skill, and choice as on, off or auto.");
        const session = context.req.param("id") ?? "";
        const [known] = await findListedSessions(store.main, [session]);
        if (known === undefined) return refuse(context, 404, "There is no such conversation.");
        const { choice, skill } = given.data;
        if (!(await skills.choose(session, skill, choice))) return refuse(context, 404, "There is no such skill.");
        await audit("skill.chosen", { skill, choice, login: login.id }, session);
        return context.body(null, 204);
      },
    },
    {
      method: "POST",
      path: "/skills/archive",
      role: "owner",
      takes: "bytes",
      async answer(context) {
        const read = await readBody(context.req.raw, maxArchiveBytes);
        if (read.kind === "too-large") return refuse(context, 413, archiveTooLarge);
        if (read.kind === "broken") return refuse(context, 400, "The archive did not arrive whole.");
        const name = basename(context.req.query("name") ?? "").slice(0, maxSourceName);
        const reviewed = await skills.review(read.body, name);
        if (!reviewed.ok) return refuse(context, 400, makeVisible(reviewed.problem));
        return context.json(showReview(reviewed.review, findLanguage(context, parts.language())));
      },
    },
    {
      method: "POST",
      path: "/skills/install",
      role: "owner",
      async answer(context, login) {
        const given = installRequest.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "Say which review, and the hash that it showed.");
        const { hash, review } = given.data;
        const done = skills.install(review, hash, `${consoleOwner} (${login.id})`);
        switch (done.kind) {
          case "gone":
            return refuse(context, 409, "This is not what was shown. Send the archive again and look at it.");
          case "blocked":
            return refuse(
              context,
              403,
              `The checks found what is known from bad skills. Only the machine takes it: ${kurisuCommand} skills install`,
            );
          case "refused":
            return refuse(context, 400, makeVisible(done.problem));
          case "installed":
            await audit("skill.installed", { skill: done.skill.id, digest: hash, login: login.id });
            return context.body(null, 204);
        }
      },
    },
    {
      method: "DELETE",
      path: "/skills/:name",
      role: "owner",
      async answer(context, login) {
        const name = context.req.param("name") ?? "";
        const removed = skills.remove(name);
        if (!removed.ok) return refuse(context, 404, makeVisible(removed.problem));
        await audit("skill.removed", { skill: name, login: login.id });
        return context.body(null, 204);
      },
    },
  ];
}

import { z } from "zod";
import { readBody } from "../../channels/read-body.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { readJson, refuse, type ConsoleContext, type Route } from "../door/guard.ts";
import { createCardDesk, type InstallCardResult } from "../trials/card-desk.ts";
import type { CardRefusalView, InstalledCardView } from "../views/trial-views.ts";
import { showCard } from "./show-trials.ts";
import type { TrialParts } from "./trial-routes.ts";

const maxCardBytes = 16 * 1024 * 1024;
const installRequest = z.strictObject({
  digest: z.string().max(64),
  id: z.string().max(64),
  instructions: z.boolean(),
  replace: z.boolean(),
});

/** Character cards: a card is examined first, and becomes a persona by a second request. */
export function listCardRoutes({ clock, store, trials }: Omit<TrialParts, "budget">): readonly Route[] {
  const desk = createCardDesk(trials.folders, clock);
  return [
    {
      method: "POST",
      path: "/cards/examine",
      role: "owner",
      takes: "bytes",
      async answer(context) {
        const read = await readBody(context.req.raw, maxCardBytes);
        if (read.kind === "too-large") return refuse(context, 413, "A card has 16 MB at most.");
        if (read.kind === "broken") return refuse(context, 400, "The card did not arrive whole.");
        const examined = await desk.examine(read.body);
        if (examined.kind === "refused")
          return refuse(context, 400, `The card ${makeVisible(examined.problem.toWellFormed())}.`);
        return context.json(showCard(examined.card));
      },
    },
    {
      method: "POST",
      path: "/cards/install",
      role: "owner",
      async answer(context, login) {
        const given = installRequest.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "Say digest, id, instructions and replace.");
        const { digest, id, ...wanted } = given.data;
        const end = desk.install(digest, { id, ...wanted });
        if (end.kind !== "installed") return answerRefusal(context, end);
        await appendAudit(store.main, {
          actor: consoleOwner,
          action: "persona.imported",
          detail: { persona: id, digest, instructions: wanted.instructions, login: login.id },
          now: clock.now(),
        });
        trials.reload();
        const view: InstalledCardView = { id };
        return context.json(view);
      },
    },
  ];
}

type Refused = Exclude<InstallCardResult, { kind: "installed" }>;

function answerRefusal(context: ConsoleContext, end: Refused): Response {
  const message = "problem" in end ? makeVisible(end.problem.toWellFormed()) : messages[end.kind];
  const view: CardRefusalView = { code: end.kind, message };
  return context.json(view, end.kind === "gone" || end.kind === "there" ? 409 : 422);
}

const messages: Readonly<Record<Exclude<Refused["kind"], "faulty" | "unwritable">, string>> = {
  gone: "This is not what was shown. Send the card again and look at it.",
  there: "An earlier import has this name. Replace it, or choose another name.",
  invalid: "A name has small letters, digits and hyphens, 64 at most.",
  reserved: "A persona that is shipped has this name, or it means something in /persona. Choose another one.",
  written: "A persona that came from no card has this name. Choose another one.",
};

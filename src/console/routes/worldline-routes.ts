import { z } from "zod";
import type { ConsoleHooks } from "../../kernel/feature/console-hooks.ts";
import { readJson, refuse, type Route } from "../door/guard.ts";
import type { LinesView } from "../views/chats-views.ts";

export interface WorldlineParts {
  /** Undefined where the feature of world lines is taken out. */
  readonly worldlines: ConsoleHooks["worldlines"];
}

const wanted = z.strictObject({ number: z.int().min(1).max(1_000_000) });

/** The branches of a conversation, and the way from one to another. */
export function listWorldlineRoutes({ worldlines }: WorldlineParts): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/sessions/:id/branches",
      role: "owner",
      async answer(context) {
        const items = (await worldlines?.list(context.req.param("id") ?? "")) ?? [];
        return context.json({ items } satisfies LinesView);
      },
    },
    {
      method: "POST",
      path: "/sessions/:id/branch",
      role: "owner",
      async answer(context, login) {
        const given = wanted.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "The number of a world line is needed.");
        const end = await worldlines?.enter(context.req.param("id") ?? "", given.data.number, login.id);
        switch (end) {
          case "moved":
            return context.body(null, 204);
          case "busy":
            return refuse(context, 409, "Something is running there. Wait for its end, or stop it.");
          case "unknown":
          case undefined:
            return refuse(context, 404, "There is no other world line of that number.");
        }
      },
    },
  ];
}

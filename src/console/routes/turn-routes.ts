import { findTurn } from "../../store/queries/turns.ts";
import { findLanguage } from "../door/find-language.ts";
import { refuse, type Route } from "../door/guard.ts";
import type { ChatsParts } from "./chats-routes.ts";
import { describeTurn } from "./describe-turn.ts";
import type { ShowParts } from "./show-question.ts";

export type TurnParts = ChatsParts & Pick<ShowParts, "findTool">;

/** One turn in detail, from its first request to its last row of the audit. */
export function listTurnRoutes(parts: TurnParts): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/turns/:id",
      role: "owner",
      async answer(context, login) {
        const turn = await findTurn(parts.store.main, context.req.param("id") ?? "");
        if (turn === undefined) return refuse(context, 404, "There is no such turn.");
        const language = findLanguage(context, parts.language());
        return context.json(await describeTurn(parts, turn, { person: login.person, language }));
      },
    },
  ];
}

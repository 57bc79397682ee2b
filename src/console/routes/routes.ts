import type { Route } from "../door/guard.ts";
import { listQuestionRoutes, type QuestionParts } from "./question-routes.ts";
import { listSignInRoutes, type SignInParts } from "./sign-in-routes.ts";
import { listStrangersRoutes, type StrangersParts } from "./strangers-routes.ts";
import { listTalkRoutes, type TalkParts } from "./talk-routes.ts";
import { listTodayRoutes, type TodayParts } from "./today-routes.ts";

export type RouteParts = SignInParts & TodayParts & StrangersParts & QuestionParts & TalkParts;

/** Every route below /api. */
export function listRoutes(parts: RouteParts): readonly Route[] {
  return [
    ...listSignInRoutes(parts),
    ...listTodayRoutes(parts),
    ...listStrangersRoutes(parts),
    ...listQuestionRoutes(parts),
    ...listTalkRoutes(parts),
  ];
}

import type { Route } from "../door/guard.ts";
import { listSignInRoutes, type SignInParts } from "./sign-in-routes.ts";
import { listStreamRoutes, type StreamParts } from "./stream-routes.ts";
import { listTodayRoutes, type TodayParts } from "./today-routes.ts";

export type RouteParts = SignInParts & TodayParts & StreamParts;

/** Every route below /api. */
export function listRoutes(parts: RouteParts): readonly Route[] {
  return [...listSignInRoutes(parts), ...listTodayRoutes(parts), ...listStreamRoutes(parts)];
}

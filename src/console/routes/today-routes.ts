import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Readiness } from "../../kernel/http/mount-readiness.ts";
import { findPause } from "../../store/queries/pause.ts";
import type { Route } from "../door/guard.ts";
import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../store/open-store.ts";
import type { TodayView } from "../views/today-views.ts";

export interface TodayParts {
  readonly readiness: () => Promise<Readonly<Record<string, Readiness>>>;
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
}

/** How she is. */
export function listTodayRoutes(parts: TodayParts): readonly Route[] {
  const { clock, store } = parts;
  return [
    {
      method: "GET",
      path: "/today",
      role: "owner",
      async answer(context) {
        const [ready, pause] = await Promise.all([parts.readiness(), findPause(store.main)]);
        const view: TodayView = {
          now: clock.now(),
          well: { state: judgeState(ready, pause !== undefined), parts: listParts(ready) },
          ...(pause && { pause: { since: pause.since, name: makeVisible(pause.name) } }),
        };
        return context.json(view);
      },
    },
  ];
}

function judgeState(ready: Readonly<Record<string, Readiness>>, isPaused: boolean): TodayView["well"]["state"] {
  if (isPaused) return "paused";
  if (ready["model"]?.state === "failed") return "model";
  return Object.values(ready).some(({ state }) => state === "failed" || state === "degraded") ? "watch" : "well";
}

/** The pause is told by itself. */
function listParts(ready: Readonly<Record<string, Readiness>>): TodayView["well"]["parts"] {
  return Object.entries(ready)
    .filter(([name]) => name !== "work")
    .map(([name, { state, since, detail }]) => ({ name, state, since, detail: makeVisible(detail) }));
}

import type { Language } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { toInstant, toWallTime } from "../../core/schedule/zoned-time.ts";
import type { Clock } from "../../core/clock.ts";
import type { McpServerView } from "../../features/mcp/mcp-bridge.ts";
import { listComingReminders } from "../../features/reminders/queries/reminders.ts";
import type { Readiness } from "../../kernel/http/mount-readiness.ts";
import type { StrangerRequests } from "../../kernel/people/stranger-requests.ts";
import type { BudgetOptions } from "../../models/budget-options.ts";
import { countActionsSince, sumDaysSince } from "../../store/queries/days.ts";
import { findPause } from "../../store/queries/pause.ts";
import { findNames } from "../../store/queries/people.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import type { Store } from "../../store/open-store.ts";
import type { Route } from "../door/guard.ts";
import { maxName, nameSessions, toLine } from "../names/name-sessions.ts";
import { findLanguage } from "../door/find-language.ts";
import { listParts } from "../today/list-parts.ts";
import { describeCost, shownDays } from "../today/describe-cost.ts";
import { readDayRecord } from "../today/read-day-record.ts";
import { showStrangers } from "./show-strangers.ts";
import type { LaterView, TodayView } from "../views/today-views.ts";

export interface TodayParts {
  readonly readiness: () => Promise<Readonly<Record<string, Readiness>>>;
  readonly language: () => Language;
  readonly store: Pick<Store, "main">;
  readonly zone: () => string;
  readonly strangers: readonly Pick<StrangerRequests, "list">[];
  readonly budget: () => BudgetOptions;
  readonly servers: () => readonly McpServerView[];
  /** Changed keys of the configuration that wait for a restart. */
  readonly waitingKeys: () => readonly string[];
  /** Files of the configuration whose last change was refused. */
  readonly refusedFiles: () => readonly string[];
  readonly isOffline: () => boolean;
  /** Undefined once there is an owner. */
  readonly ownerCode: () => Promise<string | undefined>;
  readonly clock: Clock;
}

const maxDue = 6;

/** How she is, what waits, and what the day was like. */
export function listTodayRoutes(parts: TodayParts): readonly Route[] {
  const { clock, store } = parts;
  return [
    {
      method: "GET",
      path: "/today",
      role: "owner",
      async answer(context) {
        const now = clock.now();
        const days = listDays(now, parts.zone());
        const since = startOfDay(now, parts.zone());
        const [ready, pause, waiting, actions, record, usage, due] = await Promise.all([
          parts.readiness(),
          findPause(store.main),
          showStrangers(parts, now),
          countActionsSince(store.main, since),
          readDayRecord(store, since),
          sumDaysSince(store.main, days[0] ?? ""),
          listComingReminders(store.main, maxDue),
        ]);
        const sessions = [...new Set(record.rows.flatMap(({ session }) => session ?? []))];
        const [people, chats] = await Promise.all([
          findNames(store.main, [...new Set(record.rows.flatMap(({ who }) => who ?? []))]),
          findListedSessions(store.main, sessions).then((found) => nameSessions(store.main, found)),
        ]);
        const count = (...wanted: readonly string[]) => wanted.reduce((sum, one) => sum + (actions.get(one) ?? 0), 0);
        const ownerCode = await parts.ownerCode();
        const isOffline = parts.isOffline();
        const view: TodayView = {
          now,
          well: {
            state: judgeState(ready, pause !== undefined),
            parts: listParts(ready, findLanguage(context, parts.language())),
          },
          ...(pause && { pause: { since: pause.since, name: makeVisible(pause.name) } }),
          ...waiting,
          later: listLater(parts),
          did: {
            turns: record.chats.reduce((sum, { turns }) => sum + turns, 0),
            calls: count("tool.done", "tool.failed", "tool.unknown"),
            refused: count("tool.denied"),
          },
          cost: describeCost(usage, days, parts.budget()),
          record: record.rows.map((row) => ({
            ...row,
            ...(row.who !== undefined && { who: toLine(people.get(row.who) ?? row.who, maxName) }),
            ...(row.session !== undefined && { chat: chats.get(row.session) ?? makeVisible(row.session) }),
          })),
          next: due.map(({ name, nextDue, text }) => ({
            at: nextDue ?? now,
            text: makeVisible(text),
            who: makeVisible(name),
          })),
          ...((isOffline || ownerCode !== undefined) && {
            setup: { isOffline, ...(ownerCode !== undefined && { ownerCode }) },
          }),
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

function listLater({ refusedFiles, servers, waitingKeys }: TodayParts): readonly LaterView[] {
  const [keys, files] = [waitingKeys(), refusedFiles()];
  return [
    ...servers().flatMap(({ server, tools }): readonly LaterView[] => {
      const waiting = tools.filter(({ state }) => state !== "trusted" && state !== "corrupt").length;
      return waiting === 0 ? [] : [{ kind: "mcp", server: makeVisible(server.name), tools: waiting }];
    }),
    ...(keys.length > 0 ? [{ kind: "restart" as const, keys: keys.map(makeVisible) }] : []),
    ...(files.length > 0 ? [{ kind: "refused" as const, files: files.map(makeVisible) }] : []),
  ];
}

/** The first instant of the day of `now`. */
function startOfDay(now: number, zone: string): number {
  return toInstant({ ...toWallTime(now, zone), hour: 0, minute: 0, second: 0 }, zone);
}

/** The names of the days until today, as the table of usage has them. */
function listDays(now: number, zone: string): readonly string[] {
  const { day, month, year } = toWallTime(now, zone);
  return Array.from({ length: shownDays }, (_, at) =>
    new Date(Date.UTC(year, month - 1, day - (shownDays - 1 - at))).toISOString().slice(0, 10),
  );
}

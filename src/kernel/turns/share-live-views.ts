import type { Logger } from "pino";
import { z } from "zod";
import type { HttpRoutes } from "../../channels/http-routes.ts";
import type { Signals } from "../../store/engines/postgres-signals.ts";
import type { LiveWatch } from "./live-watch.ts";
import { liveTool } from "../claims/channel-calls.ts";
import { postToNode } from "../claims/post-to-node.ts";
import { readNodeCall } from "../claims/read-node-call.ts";

/** The path on which a process takes views of turns that other processes run. */
const liveViewPath = "/internal/live";

const sayAgainMs = 5_000;
const forgetMs = 12_000;
const answerLimitMs = 5_000;

const liveViewBody = z.union([
  z.object({
    session: z.string(),
    view: z.object({ turn: z.string(), text: z.string(), tools: z.array(liveTool).readonly() }),
  }),
  z.object({ session: z.string(), ended: z.string() }),
]);
type LiveViewBody = z.infer<typeof liveViewBody>;

/** A process in which a page watches a conversation. */
interface Audience {
  forget: NodeJS.Timeout;
  /** Newest by turn: what changed in between is in it. */
  readonly views: Map<string, LiveViewBody>;
  isPosting: boolean;
}

/**
 * A page watches a conversation through the process that serves it, while the turns may run in any process. The serving
 * process keeps announcing which conversations are watched; the process that runs a turn there posts its views. Best
 * effort, like the views themselves.
 */
export function shareLiveViews(
  local: LiveWatch,
  parts: {
    readonly http: Pick<HttpRoutes, "app">;
    readonly key: string;
    /** This process. */
    readonly node: string;
    /** The address of another process; undefined when it is gone. */
    readonly findAddress: (node: string) => string | undefined;
    readonly signals: Pick<Signals, "send" | "on">;
    readonly log: Pick<Logger, "debug">;
  },
): LiveWatch {
  const { key, log, node, signals } = parts;
  const watchers = new Map<string, Set<Parameters<LiveWatch["watch"]>[1]>>();
  const audiences = new Map<string, Audience>();

  function sayWatched(session: string): void {
    signals.send("watch", JSON.stringify([node, session]));
  }

  async function postAll(audience: Audience, to: string): Promise<void> {
    audience.isPosting = true;
    for (let next = takeFirst(audience.views); next !== undefined; next = takeFirst(audience.views))
      try {
        const address = parts.findAddress(to);
        if (address === undefined) continue;
        const signal = AbortSignal.timeout(answerLimitMs);
        (await postToNode(new URL(liveViewPath, address), { body: next, key, signal })).resume();
      } catch (error) {
        log.debug({ err: error, node: to }, "a view of a turn could not be shown to those who watch");
      }
    audience.isPosting = false;
  }

  function beginPosting(to: string, session: string, endWatch: () => void): Audience {
    const name = JSON.stringify([to, session]);
    const forget = setTimeout(() => {
      audiences.delete(name);
      endWatch();
    }, forgetMs).unref();
    const audience = { forget, views: new Map(), isPosting: false };
    audiences.set(name, audience);
    return audience;
  }

  signals.on("watch", (name) => {
    const known = audiences.get(name);
    if (known) return void known.forget.refresh();
    const [to, session] = JSON.parse(name) as [string, string];
    const post = (turn: string, body: LiveViewBody): void => {
      audience.views.set(turn, body);
      if (!audience.isPosting) void postAll(audience, to);
    };
    const audience = beginPosting(to, session, () => endWatch());
    const endWatch = local.watch(session, {
      see: (view) => post(view.turn, { session, view }),
      end: (turn) => post(turn, { session, ended: turn }),
    });
    return undefined;
  });

  parts.http.app.post(liveViewPath, async (context) => {
    const read = await readNodeCall(context, key, liveViewBody);
    if ("refused" in read) return context.body(null, read.refused);
    const { body } = read;
    for (const watcher of watchers.get(body.session) ?? [])
      if ("view" in body) watcher.see(body.view);
      else watcher.end(body.ended);
    return context.body(null, 204);
  });

  return {
    begin: local.begin,
    watch(session, watcher) {
      const others = watchers.get(session) ?? new Set();
      watchers.set(session, others.add(watcher));
      const endHere = local.watch(session, watcher);
      sayWatched(session);
      const saying = setInterval(sayWatched, sayAgainMs, session).unref();
      return () => {
        clearInterval(saying);
        endHere();
        others.delete(watcher);
        if (others.size === 0 && watchers.get(session) === others) watchers.delete(session);
      };
    },
  };
}

function takeFirst(views: Map<string, LiveViewBody>): LiveViewBody | undefined {
  const [first] = views;
  if (first === undefined) return undefined;
  views.delete(first[0]);
  return first[1];
}

import type { HttpRoutes } from "../../channels/http-routes.ts";
import type { ChannelHealth, ChannelNews } from "../../channels/channel-health.ts";
import type { ModelStatus } from "../../models/types.ts";
import { isOnThisMachine } from "./is-on-this-machine.ts";
import { withinTime } from "./within-time.ts";

/** The state of a required part: a channel, the model, the store, the sandbox. */
export interface Readiness {
  readonly state: ChannelHealth["state"];
  /** Milliseconds since 1970-01-01 UTC. */
  readonly since: number;
  readonly detail: string;
  readonly news?: ChannelNews;
  /** Only for the models: each with its state, for the doctor. */
  readonly models?: readonly ModelStatus[];
}

const limitMs = 5000;

/**
 * `GET /readyz`. With `?channel=NAME` it is ready only in the process that is connected to that platform, so that a
 * balancer finds it. Parts and their details may contain hosts and versions: they are for the machine itself only.
 */
export function mountReadiness(
  { app }: Pick<HttpRoutes, "app">,
  readiness: () => Promise<Readonly<Record<string, Readiness>>>,
): void {
  app.get("/readyz", async (context) => {
    const told = isOnThisMachine(context.env.incoming);
    const answered = await withinTime(readiness(), limitMs);
    if (answered === undefined)
      return context.json({ status: "unready", ...(told && { reason: "the parts did not answer in time" }) }, 503);
    const channel = context.req.query("channel");
    const isOther =
      channel !== undefined && answered[channel]?.state !== "ready" && answered[channel]?.state !== "degraded";
    const ready = !isOther && Object.values(answered).every(({ state }) => state !== "starting" && state !== "failed");
    const shown = told ? Object.entries(answered).map(([name, part]) => [name, describePart(part)] as const) : [];
    return context.json({ status: ready ? "ready" : "unready", ...Object.fromEntries(shown) }, ready ? 200 : 503);
  });
}

function describePart({ state, since, detail }: Readiness): Record<string, string> {
  return { state, since: new Date(since).toISOString(), detail };
}

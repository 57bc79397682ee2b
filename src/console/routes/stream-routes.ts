import { refuse, type Route } from "../door/guard.ts";
import { createStreams, type StreamsParts } from "../live/streams.ts";

export type StreamParts = StreamsParts;

/** The events for an open page. */
export function listStreamRoutes(parts: StreamParts): readonly Route[] {
  const streams = createStreams(parts);
  return [
    {
      method: "GET",
      path: "/stream",
      role: "owner",
      async answer(context, login) {
        const body = await streams.open({
          login: login.id,
          after: context.req.header("last-event-id"),
          drop: () => void context.env.outgoing.destroy(),
        });
        if (body === undefined) return refuse(context, 503, "Too many pages are open. Close one of them.");
        return context.body(body, 200, {
          "Content-Type": "text/event-stream; charset=utf-8",
          // A server that stops need not wait until the browser lets go of it.
          Connection: "close",
          // nginx would hold the events back.
          "X-Accel-Buffering": "no",
        });
      },
    },
  ];
}

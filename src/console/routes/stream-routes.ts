import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { findLanguage } from "../door/find-language.ts";
import { refuse, type Route } from "../door/guard.ts";
import { findOwnRows, isOwnSession } from "../door/own-rows.ts";
import { createStreams, type StreamsParts } from "../live/streams.ts";
import { describeLive } from "./describe-live.ts";

export interface StreamParts extends StreamsParts {
  readonly language: () => Language;
  readonly clock: Clock;
}

/** The events for an open page. */
export function listStreamRoutes(parts: StreamParts): readonly Route[] {
  const streams = createStreams(parts);
  return [
    {
      method: "GET",
      path: "/stream",
      role: "self",
      async answer(context, login) {
        // Nothing would read the body.
        if (context.req.method === "HEAD") return context.body(null, 204);
        const session = context.req.query("session");
        const find = () => findOwnRows(parts.store.main, login);
        if (session !== undefined && !isOwnSession(await find(), session))
          return refuse(context, 404, "There is no such conversation.");
        const language = findLanguage(context, parts.language());
        const body = await streams.open({
          login: login.id,
          ...(login.role !== "owner" && {
            member: login.person,
            async isOwn() {
              const rows = await find();
              return (one) => isOwnSession(rows, one);
            },
          }),
          // A page cannot set the header when it opens another stream by itself.
          after: context.req.header("last-event-id") ?? context.req.query("after"),
          drop: () => void context.env.outgoing.destroy(),
          watched:
            session === undefined
              ? undefined
              : { session, describe: (view) => describeLive(view, { session, language, at: parts.clock.now() }) },
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

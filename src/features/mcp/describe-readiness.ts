import { kurisuCommand } from "../../core/kurisu-command.ts";
import { countOf } from "../../core/words/count-of.ts";
import type { Readiness } from "../../kernel/http/mount-readiness.ts";
import type { McpServerView } from "./mcp-bridge.ts";

/** An idle server counts as ready. A server that does not start does not make Kurisu unready. */
export function describeReadiness({ server, state, detail, tools }: McpServerView, now: number): Readiness {
  const held = tools.filter((tool) => tool.state !== "trusted").length;
  const about = [
    state === "idle"
      ? server.skill === undefined
        ? "starts when it is needed"
        : `starts when the skill ${server.skill} is used`
      : state === "login"
        ? `wants you to log in: ${kurisuCommand} mcp login`
        : state === "unapproved"
          ? `stands in .mcp.json and waits for your yes: ${kurisuCommand} mcp approve ${server.name}`
          : detail,
    countOf(tools.length - held, "tool"),
    ...(held > 0 ? [`${held} blocked until you have looked at them: ${kurisuCommand} mcp list`] : []),
  ];
  const bad = state === "failed" || state === "login" || held > 0;
  return { state: bad ? "degraded" : "ready", since: now, detail: about.filter((one) => one !== "").join(", ") };
}

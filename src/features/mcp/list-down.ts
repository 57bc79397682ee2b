import type { McpServerClient } from "./mcp-server-client.ts";

/** A server that cannot be used now. `reason` is one of our fixed texts: the model reads it. */
export interface DownServer {
  readonly server: string;
  readonly reason: "failed" | "timed out" | "its owner has to log in" | "being installed";
}

/** Servers of the operator's files. A skill reports its own servers. */
export function listDown(clients: readonly Pick<McpServerClient, "server" | "view">[]): readonly DownServer[] {
  return clients.flatMap(({ server, view }) => {
    const reason = server.skill === undefined ? nameReason(view()) : undefined;
    return reason === undefined ? [] : [{ server: server.name, reason }];
  });
}

function nameReason(view: ReturnType<McpServerClient["view"]>): DownServer["reason"] | undefined {
  switch (view.state) {
    case "failed":
      return nameFailure(view.detail);
    case "login":
      return "its owner has to log in";
    case "starting":
      if (view.installing) return "being installed";
      return view.failedBefore === undefined ? undefined : nameFailure(view.failedBefore);
    case "idle":
    case "ready":
    case "unapproved":
      return undefined;
  }
}

function nameFailure(reason: string): DownServer["reason"] {
  return reason.startsWith("timed out") ? "timed out" : "failed";
}

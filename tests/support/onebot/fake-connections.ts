import type { WebSocket } from "ws";
import type { FakeAction } from "./actions.ts";
import { fakeTraits } from "./implementations.ts";
import { serveConnection, type FakeConnection } from "./fake-connection.ts";
import {
  OneBotRefusal,
  type FakeOneBotCall,
  type FakeOneBotFault,
  type FakeOneBotSettings,
  type FakeParams,
} from "./onebot-types.ts";

export interface Connections {
  /** Starts to serve an opened socket. What it is for depends on the path: `/api`, `/event`, both on any other. */
  add(socket: WebSocket, side: FakeConnection["side"], path: string): void;
  /** Sends an event to everybody who is sent events; answers to how many it went out. */
  push(event: FakeParams): number;
  open(): readonly FakeConnection[];
}

export function createConnections(parts: {
  readonly settings: FakeOneBotSettings;
  readonly calls: FakeOneBotCall[];
  readonly violations: string[];
  readonly actions: Readonly<Record<string, FakeAction>>;
  readonly disabled: ReadonlySet<string>;
  takeFault(action: string): FakeOneBotFault | undefined;
  onOpen(connection: FakeConnection): void;
  onChange(): void;
}): Connections {
  const open = new Set<FakeConnection>();
  let count = 0;

  function act(name: string, params: FakeParams): unknown {
    const { lacks, unknownAction } = fakeTraits[parts.settings.implementation];
    const isThere = Object.hasOwn(parts.actions, name) && !parts.disabled.has(name) && !lacks.includes(name);
    const action = isThere ? parts.actions[name] : undefined;
    if (action === undefined) throw new OneBotRefusal(unknownAction, `不支持的API ${name}`);
    return action(params);
  }

  return {
    add(socket, side, path) {
      count += 1;
      const bare = side === "forward" ? path.replace(/\/$/, "") : "";
      const place = { id: count, side, path, apis: bare !== "/event", events: bare !== "/api" };
      const connection = serveConnection(socket, place, { ...parts, act });
      open.add(connection);
      // What broke it shows in its end.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(connection);
        parts.onChange();
      });
      parts.onOpen(connection);
    },
    push: (event) => [...open].filter((connection) => connection.events && connection.push(event)).length,
    open: () => [...open],
  };
}

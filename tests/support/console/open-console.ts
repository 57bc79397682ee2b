import { expect } from "vitest";
import type { EngineName } from "../store-engines.ts";
import { createTestStore } from "../test-store.ts";
import { startConsoleServer } from "./console-server.ts";

/** The console with its owner signed in; `read` expects an answer. */
export async function openConsole(engine: EngineName) {
  const store = await createTestStore(engine);
  const server = await startConsoleServer({ store });
  const cookie = await server.addLogin("owner");
  const ask = async (path: string) => server.ask({ path: `/api${path}`, headers: { cookie } });
  return {
    store,
    server,
    ask,
    async read<View>(path: string): Promise<View> {
      const { status, text } = await ask(path);
      expect(status, `${path}: ${text}`).toBe(200);
      return JSON.parse(text) as View;
    },
  };
}

/** The path of a conversation. */
export const pathOf = (session: string, rest = "") => `/sessions/${encodeURIComponent(session)}${rest}` as const;

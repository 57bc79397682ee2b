import { expect } from "vitest";
import type { RunningKurisu } from "./start-kurisu.ts";

/** Reads as a browser does that is signed in by the code of the start screen. */
export async function signInToConsole(kurisu: RunningKurisu) {
  const [code = ""] = /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/.exec(kurisu.stdout()) ?? [];
  const headers = { "content-type": "application/json", "x-kurisu": "1", origin: kurisu.url };
  const entered = await fetch(`${kurisu.url}/api/login`, { method: "POST", headers, body: JSON.stringify({ code }) });
  expect(entered.status).toBe(204);
  const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return async <View>(path: string): Promise<View> => {
    const answer = await fetch(`${kurisu.url}/api${path}`, { headers: { ...headers, cookie } });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
    return (await answer.json()) as View;
  };
}

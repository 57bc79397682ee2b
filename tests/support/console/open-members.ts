import { expect } from "vitest";
import type { ConsoleParts } from "../../../src/console/create-console.ts";
import { findMemoryScope } from "../../../src/features/memory/scope.ts";
import { remember } from "../../../src/features/memory/people/remember.ts";
import { TestGateway } from "../gateway.ts";
import type { TestGatewayOptions } from "../gateway-options.ts";
import { untilTestEnds } from "../keep-until.ts";
import { startConsoleBeside } from "./console-beside.ts";
import type { ConsoleServer } from "./console-server.ts";

export type AskAs = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly text: string; readonly view: unknown }>;

/** A gateway whose members alice and bob may come to the console beside it, by the code that they get in their chat. */
export async function openMembers(
  options: Omit<TestGatewayOptions, "makeCodeFor"> = {},
  parts: Pick<Partial<ConsoleParts>, "liveWatch" | "page"> = {},
) {
  let server: ConsoleServer | undefined;
  const kurisu = new TestGateway({ ...options, makeCodeFor: async (person) => server?.makeCodeFor(person) });
  untilTestEnds(() => kurisu.dispose());
  kurisu.areMembersLetIn = true;
  await kurisu.start();
  const console = (server = await startConsoleBeside(kurisu, parts));

  async function askForCode(user: string): Promise<string> {
    await kurisu.say("/console", { user });
    const [code] = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(kurisu.lastText()) ?? [];
    if (code === undefined) throw new Error(`no code in: ${kurisu.lastText()}`);
    return code;
  }

  async function signIn(user: string, browser = `Browser of ${user}`): Promise<string> {
    const { cookie, status, text } = await console.logIn({ code: await askForCode(user) }, { "user-agent": browser });
    expect({ status, text }).toMatchObject({ status: 204 });
    return cookie ?? "";
  }

  const askWith =
    (cookie: string): AskAs =>
    async (method, path, body) => {
      const asked = { method, path: `/api${path}`, headers: { cookie: `${cookie}; kurisu_language=zh` } };
      const { status, text } = await console.ask({ ...asked, ...(body && { body }) });
      const isJson = text.startsWith("{") || text.startsWith("[");
      return { status, text, view: isJson ? (JSON.parse(text) as unknown) : undefined };
    };

  /** A fact of theirs, told in private, or in the session of a group. */
  async function keep(user: string, content: string, session = ""): Promise<number> {
    const scope = await findMemoryScope(kurisu.store.main, {
      person: { id: `fake:${user}`, name: user },
      session,
      chatKind: session === "" ? "private" : "group",
      persona: "kurisu",
    });
    const fact = { category: "fact", content, taint: "user", origin: "said", now: kurisu.clock.now() } as const;
    const kept = await remember(kurisu.store.main, scope, fact);
    if (kept.kind === "refused") throw new Error(kept.why);
    return kept.id;
  }

  return { kurisu, server: console, askForCode, askWith, keep, signIn };
}

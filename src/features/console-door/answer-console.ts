import type { Clock } from "../../core/clock.ts";
import { consolePlatform } from "../../core/own-platforms.ts";
import { servedPlatform } from "../../core/served-platform.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import type { ConsoleDoorPort } from "../../kernel/feature/console-hooks.ts";
import { tellAs } from "../../kernel/outbox/tell-as.ts";
import type { Store } from "../../store/open-store.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { consoleDoorWords } from "./words.ts";

/** Platforms of programs: the program says who asks, so that a code would go to whoever runs it. */
const programs = new Set(["cli", consolePlatform, servedPlatform]);

/** Answers `/console`. The code is said in private only, to the one account that it is for. */
export function createAnswerConsole({
  clock,
  consoleDoor: door,
  namedByClients,
  store,
}: {
  readonly clock: Clock;
  readonly consoleDoor: ConsoleDoorPort;
  readonly namedByClients: (platform: string) => boolean;
  readonly store: Pick<Store, "main">;
}) {
  return async ({ language, message, person, session, words }: CommandCall): Promise<CommandAnswer> => {
    const texts = consoleDoorWords[language];
    const { platform } = message.address;
    if (platform === "cli" && person.role === "owner") return { text: texts.atTerminal };
    if (message.sender.kind !== "person" || programs.has(platform) || namedByClients(platform))
      return tellAs("denied", language, texts.notHere);
    if (person.role === "guest") return tellAs("denied", language, words.access.ownerOnly);
    const isOwner = person.role === "owner";
    if (!door.isOpen()) return isOwner ? { text: texts.closedByYou } : tellAs("denied", language, texts.closed);
    if (message.chatKind !== "private") return tellAs("privately", language, texts.privateOnly);
    const role = isOwner ? "owner" : "member";
    const made = await door.makeCode({ account: person.id, role });
    if (made === undefined) return tellAs("failed", language, texts.notListening);
    const detail = { role, expiresAt: made.expiresAt };
    const row = { actor: person.id, action: "console.code-made", session, detail, now: clock.now() };
    await appendAudit(store.main, row);
    const address = door.address();
    const where = address === undefined ? texts.noAddress[role] : texts.at(address);
    return { text: [where, texts.code(made.code)].join("\n") };
  };
}

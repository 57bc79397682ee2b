import { consolePlatform } from "../../core/own-platforms.ts";
import { servedPlatform } from "../../core/served-platform.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import type { ConsoleDoorPort } from "../../kernel/feature/console-hooks.ts";
import { tellAs } from "../../kernel/outbox/tell-as.ts";
import { consoleDoorWords } from "./words.ts";

/** Platforms of programs: the program says who asks, so that a code would go to whoever runs it. */
const programs = new Set(["cli", consolePlatform, servedPlatform]);

/** Answers `/console`. The code is said in private only, to the one account that it is for. */
export function createAnswerConsole({
  consoleDoor: door,
  namedByClients,
}: {
  readonly consoleDoor: ConsoleDoorPort;
  readonly namedByClients: (platform: string) => boolean;
}) {
  return async ({ language, message, person, words }: CommandCall): Promise<CommandAnswer> => {
    const texts = consoleDoorWords[language];
    const { platform } = message.address;
    if (message.sender.kind !== "person" || programs.has(platform) || namedByClients(platform))
      return { text: texts.notHere };
    if (person.role === "guest") return tellAs("denied", language, words.access.ownerOnly);
    const isOwner = person.role === "owner";
    if (!door.isOpen()) return { text: isOwner ? texts.closedByYou : texts.closed };
    if (message.chatKind !== "private") return tellAs("privately", language, texts.privateOnly);
    const role = isOwner ? "owner" : "member";
    const made = await door.makeCode({ account: person.id, role });
    if (made === undefined) return { text: texts.notListening };
    const address = door.address();
    const where = address === undefined ? texts.noAddress[role] : texts.at(address);
    return { text: [where, texts.code(made.code)].join("\n") };
  };
}

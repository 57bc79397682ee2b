import type { Access } from "../people/access.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";

/** `/pair`: an owner admits the person with this code, or without a code the group in which they write it. */
export function createPairPeople({ access }: { readonly access: Access }) {
  return async ({ message, words, rest }: CommandCall): Promise<CommandAnswer> => {
    if (rest === "" && message.chatKind === "group") {
      await access.openGroup(message.address);
      return { text: words.access.groupOn };
    }
    if (rest === "") return { text: words.access.pairUsage };
    const accepted = await access.acceptCode(rest);
    if (!accepted) return { text: words.access.wrongCode };
    return {
      text: words.access.personApproved(accepted.name),
      also: { session: accepted.session, text: (theirs) => theirs.access.memberWelcome(accepted.name) },
    };
  };
}

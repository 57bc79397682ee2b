import { chatlogWords } from "./words.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import type { OrderCalls } from "../../kernel/commands/order-calls.ts";

const maxHours = 6;

/** `/missed` and `/missed 3`: her summary of what was said in the group. Returns undefined once it is in the lane. */
export function createAskMissed({
  order,
  hearsAll,
}: {
  readonly order: OrderCalls;
  /** Whether Kurisu hears group messages that are not addressed to her, so that they are logged too. */
  readonly hearsAll: (platform: string) => boolean;
}) {
  return async (call: CommandCall): Promise<CommandAnswer | undefined> => {
    const missed = chatlogWords[call.language].missed;
    if (call.message.chatKind !== "group") return { text: missed.groupsOnly };
    const said = call.rest.normalize("NFKC").trim();
    const hours = /^\d{1,2}$/.test(said) ? Number(said) : undefined;
    if (said !== "" && (hours === undefined || hours < 1 || hours > maxHours)) return { text: missed.usage };
    // A list of messages to her alone would look like all that was missed.
    if (!hearsAll(call.message.address.platform)) return { text: missed.notHeard };
    const given = hours === undefined ? {} : { hours };
    return order(call, [{ name: "list_missed", arguments: given }], (_words, language) =>
      hours === undefined ? chatlogWords[language].missed.order : chatlogWords[language].missed.orderHours(hours),
    );
  };
}

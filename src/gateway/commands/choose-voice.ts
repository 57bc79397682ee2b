import { findSession, setSessionVoice } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Channel } from "../../channels/types.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import { tellAs } from "../outbox/tell-as.ts";

/** `/voice on`, `/voice off`, `/voice auto`; alone it says how it is. The text of an answer always comes, too. */
export function createChooseVoice(parts: {
  readonly store: Store;
  readonly findChannel: (platform: string) => Channel | undefined;
  /** undefined = no endpoint for speech is set. */
  readonly speak: unknown;
}) {
  const { store } = parts;
  return async ({ language, message, session, rest, words }: CommandCall): Promise<CommandAnswer> => {
    const wanted = rest.trim().toLowerCase();
    if (!["", "on", "off", "auto"].includes(wanted)) return { text: words.voice.usage };
    if (wanted === "off") await setSessionVoice(store.main, session, null);
    const format = parts.findChannel(message.address.platform)?.capabilities.voice ?? false;
    if (wanted !== "off" && format === false) return tellAs("failed", language, words.voice.notHere);
    if (wanted !== "off" && parts.speak === undefined) return tellAs("failed", language, words.voice.noEndpoint);
    if (wanted === "on" || wanted === "auto") await setSessionVoice(store.main, session, wanted);
    const now = (await findSession(store.main, session))?.voice;
    return { text: now === "on" ? words.voice.on : now === "auto" ? words.voice.auto : words.voice.off };
  };
}

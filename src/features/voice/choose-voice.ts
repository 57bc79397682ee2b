import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import type { Kernel } from "../../kernel/feature/define-feature.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import { voiceWords } from "./words.ts";

/** `/voice on`, `/voice off`, `/voice auto`; without an argument it shows the current choice. The text of a reply is sent in any case. */
export function createChooseVoice(parts: Pick<Kernel, "findChannel" | "store"> & { readonly canSpeak: boolean }) {
  const { store } = parts;
  return async ({ language, message, session, rest }: CommandCall): Promise<CommandAnswer> => {
    const words = voiceWords[language];
    const wanted = rest.trim().toLowerCase();
    if (!["", "on", "off", "auto"].includes(wanted)) return { text: words.usage };
    if (wanted === "off") await saveVoice(store, session, null);
    const format = parts.findChannel(message.address.platform)?.capabilities.voice ?? false;
    if (wanted !== "off" && format === false) return { text: words.notHere };
    if (wanted !== "off" && !parts.canSpeak) return { text: words.noEndpoint };
    if (wanted === "on" || wanted === "auto") await saveVoice(store, session, wanted);
    const now = (await findSession(store.main, session))?.voice;
    return { text: now === "on" ? words.on : now === "auto" ? words.auto : words.off };
  };
}

async function saveVoice({ main }: Store, session: string, voice: "on" | "auto" | null): Promise<void> {
  await main.updateTable("sessions").set({ voice }).where("id", "=", session).execute();
}

import { findSession, setSessionBusy, type BusyMode } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { BusyOptions } from "../turns/busy-options.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";

/** The names of each choice, as whole words in any of the languages. */
const names: Readonly<Record<BusyMode, readonly string[]>> = {
  queue: ["queue", "排队", "排隊", "順番", "順番待ち"],
  steer: ["steer", "插话", "插話", "割り込み"],
  interrupt: ["interrupt", "打断", "打斷", "中断"],
};

/** `/busy queue`, `/busy steer`, `/busy interrupt`; alone it shows the current choice. */
export function createChooseBusy(parts: {
  readonly store: Store;
  readonly busy: () => BusyOptions;
  /** Whether messages can join a running turn there. */
  readonly joins: (platform: string) => boolean;
}) {
  const { store } = parts;
  return async ({ message, session, rest, words }: CommandCall): Promise<CommandAnswer> => {
    const said = rest.normalize("NFKC").trim().toLowerCase();
    const wanted = (Object.keys(names) as BusyMode[]).find((mode) => names[mode].includes(said));
    if (said !== "" && wanted === undefined) return { text: words.busy.usage };
    if (wanted === "steer" && !parts.joins(message.address.platform)) return { text: words.busy.notHere };
    if (wanted !== undefined) {
      await setSessionBusy(store.main, session, wanted);
      return { text: words.busy.chosen[wanted] };
    }
    const now = (await findSession(store.main, session))?.busy as BusyMode | null | undefined;
    return { text: `${words.busy.now[now ?? parts.busy().mode]}\n${words.busy.usage}` };
  };
}

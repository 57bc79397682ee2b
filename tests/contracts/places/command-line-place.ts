import { createCommandLineChannel } from "../../../src/gateway/channels/command-line/command-line-channel.ts";
import type { InboundEvent } from "../../../src/gateway/types.ts";
import { HandClock } from "../../support/hand-clock.ts";
import type { Place, SeenMessage } from "./place.ts";

export async function openCommandLine(): Promise<Place> {
  const channel = createCommandLineChannel({ clock: new HandClock() });
  const events: InboundEvent[] = [];
  const seen: SeenMessage[] = [];
  await channel.start(
    (batch) => Promise.resolve(void events.push(...batch)),
    () => undefined,
  );
  channel.attach({
    chat: "main",
    onEvent: (event) => {
      if (event.type === "reply") seen.push({ id: `${seen.length}`, text: event.text, rings: false });
      if (event.type === "approval") seen.push({ id: event.id, text: event.text, rings: false });
    },
  });
  return {
    channel,
    address: { platform: "cli", account: "local", chat: "main", thread: null },
    events: () => events,
    seen: () => seen,
    hear: (text) => channel.say({ chat: "main", user: "owner", text }),
    connections: () => 0,
    close: () => channel.stop(),
  };
}

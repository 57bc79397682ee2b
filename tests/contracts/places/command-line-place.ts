import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCommandLineChannel } from "../../../src/channels/terminal/command-line-channel.ts";
import type { InboundEvent } from "../../../src/channels/types.ts";
import { HandClock } from "../../support/hand-clock.ts";
import type { Place, SeenMessage } from "./place.ts";

export async function openCommandLine(): Promise<Place> {
  const home = await mkdtemp(join(tmpdir(), "kurisu-place-"));
  const channel = createCommandLineChannel({ clock: new HandClock(), home, language: () => "zh" });
  const events: InboundEvent[] = [];
  const seen: SeenMessage[] = [];
  const told: string[] = [];
  await channel.start(
    (batch) => Promise.resolve(void events.push(...batch)),
    () => undefined,
  );
  channel.attach({
    chat: "main",
    onEvent: (event) => {
      if (event.type === "reply") seen.push({ id: `${seen.length}`, text: event.text, rings: false });
      if (event.type === "file") told.push(event.text);
      if (event.type === "approval") seen.push({ id: event.id, text: event.text, rings: false });
    },
  });
  return {
    channel,
    address: { platform: "cli", account: "local", chat: "main", thread: null },
    events: () => events,
    seen: () => seen,
    hear: (text) => channel.say({ chat: "main", user: "owner", text }),
    // It tells where the file is.
    seenFiles: () =>
      told.flatMap((text) => {
        const [, caption = "", name = "", path = ""] = /^(?:([\s\S]*)\n)?文件 (.+)：(\/.+)$/.exec(text) ?? [];
        return path === "" ? [] : [{ name, content: readFileSync(path), caption }];
      }),
    connections: () => 0,
    async close() {
      await channel.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

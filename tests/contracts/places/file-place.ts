import { appendFile, mkdtemp, rm, stat } from "node:fs/promises";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pino } from "pino";
import { createFileChannel } from "../../../examples/channel-file/file-channel.ts";
import type { InboundEvent } from "../../../src/channels/types.ts";
import { HandClock } from "../../support/hand-clock.ts";
import type { Place } from "./place.ts";

/** The example of a channel: lines of a file are messages. */
export async function openFile(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "kurisu-place-"));
  const channel = createFileChannel({ folder, clock: new HandClock(), log: pino({ level: "silent" }) });
  const events: InboundEvent[] = [];
  await channel.start(
    (batch) => Promise.resolve(void events.push(...batch)),
    () => undefined,
  );
  const [input, output] = [join(folder, "in.txt"), join(folder, "out.txt")];
  const answers = () => (existsSync(output) ? readFileSync(output, "utf8").split("\n%\n").slice(0, -1) : []);
  return {
    channel,
    address: { platform: "file", account: "local", chat: "main", thread: null },
    events: () => events,
    seen: () => answers().map((text, index) => ({ id: `${index}`, text, rings: false })),
    seenFiles: () =>
      answers().flatMap((text) => {
        const [, caption = "", path = ""] = /^([\s\S]*)\n(files\/.+)$/.exec(text) ?? [];
        return path === "" ? [] : [{ name: basename(path), content: readFileSync(join(folder, path)), caption }];
      }),
    async hear(text) {
      const at = existsSync(input) ? (await stat(input)).size : 0;
      await appendFile(input, `${text}\n`);
      return `line:${at}`;
    },
    connections: () => 0,
    async close() {
      await channel.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { createConsoleChannel } from "../../src/channels/own-chats/console-channel.ts";
import { HandClock } from "../support/hand-clock.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const dayMs = 24 * 3_600_000;
afterEach(() => vi.useRealTimers());

async function begin(receive: () => Promise<void> = () => Promise.resolve()) {
  const home = await createTemporaryFolder();
  const clock = new HandClock();
  clock.advance(Date.now() - clock.now());
  const channel = createConsoleChannel({ home, clock });
  await channel.start(receive, () => undefined);
  untilTestEnds(() => channel.stop());
  const say = (id: string) => channel.say({ chat: "main", text: "a", files: [id], key: "k", locale: "zh" });
  return { channel, clock, folder: join(home, "console-files"), receive, say };
}

it("a file is kept with its message, even if Kurisu ends right after the message was stored", async () => {
  const { channel, clock, receive, say } = await begin(() => Promise.reject(new Error("the process ended")));
  const { id } = await channel.files.keep(Buffer.from("a"), "a.txt");
  await expect(say(id)).rejects.toThrow("the process ended");
  clock.advance(2 * dayMs);
  await channel.start(receive, () => undefined);
  expect(await channel.files.find(id)).toMatchObject({ id, name: "a.txt" });
});

it("a file that no message took along goes a day later, while Kurisu runs on", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { channel, clock, folder } = await begin();
  const { id } = await channel.files.keep(Buffer.from("a"), "a.txt");
  clock.advance(dayMs + 60_000);
  vi.advanceTimersByTime(dayMs);
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]));
  expect(await channel.files.find(id)).toBeUndefined();
});

it("a file goes a day later when Kurisu ended before she described it", async () => {
  const { channel, clock, folder, receive } = await begin();
  const { id } = await channel.files.keep(Buffer.from("a"), "a.txt");
  rmSync(join(folder, `${id}.unsent`));
  await channel.start(receive, () => undefined);
  expect(readdirSync(folder)).toEqual([id]);
  clock.advance(dayMs + 60_000);
  await channel.start(receive, () => undefined);
  expect(readdirSync(folder)).toEqual([]);
});

it.each(["", '{"id":"', "{}", "null"])("a file is not there when what is noted of it is %j", async (noted) => {
  const { channel, folder, say } = await begin();
  const { id } = await channel.files.keep(Buffer.from("a"), "a.txt");
  writeFileSync(join(folder, `${id}.unsent`), noted);
  expect(await channel.files.find(id)).toBeUndefined();
  expect(await say(id)).toBeUndefined();
});

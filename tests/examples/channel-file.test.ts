import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFileChannel } from "../../examples/channel-file/file-channel.ts";
import { file } from "../../examples/channel-file/file.ts";
import { channelOptions } from "../../src/channels/define-channel.ts";
import { TestGateway } from "../support/gateway.ts";
import { HandClock } from "../support/hand-clock.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
let kurisu: TestGateway;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  const channel = createFileChannel({ folder, clock: new HandClock(), log: pino({ level: "silent" }) });
  kurisu = new TestGateway({ members: ["writer"], real: [channel] });
  await kurisu.start();
  kurisu.model.script = ({ text, results }) => {
    if (text === "poke it")
      return results.length > 0 ? { text: "戳过了。" } : { calls: [{ name: "poke", arguments: { what: "it" } }] };
    return { text: `你说了「${text}」。` };
  };
});
afterEach(() => kurisu.dispose());

const write = (text: string) => appendFile(join(folder, "in.txt"), text);
const read = (name: string) => readFile(join(folder, name), "utf8").catch(() => "");

it("a line comes in as a message once it is whole, and its answer goes out", async () => {
  await write("你好\n半");
  await expect.poll(() => read("out.txt")).toBe("你说了「你好」。\n%\n");
  await write("句\n");
  await expect.poll(() => read("out.txt")).toBe("你说了「你好」。\n%\n你说了「半句」。\n%\n");
});

it("a question goes out with its code, and a later line approves it", async () => {
  await write("poke it\n");
  await expect.poll(() => read("out.txt")).toMatch(/确认/);
  expect(kurisu.did()).toEqual([]);
  await kurisu.settle();
  await write("确认\n");
  await expect.poll(() => read("out.txt")).toContain("戳过了。\n%\n");
  expect(kurisu.did()).toHaveLength(1);
});

it("a line that is read again after a crash is answered once", async () => {
  await write("你好\n");
  await expect.poll(() => read("read.txt")).toBe("7");
  await writeFile(join(folder, "read.txt"), "0");
  await expect.poll(() => read("read.txt")).toBe("7");
  await write("再见\n");
  await expect.poll(() => read("out.txt")).toContain("再见");
  await kurisu.settle();
  expect(await read("out.txt")).toBe("你说了「你好」。\n%\n你说了「再见」。\n%\n");
});

it("the declaration is off without its variable, and its doctor names the folder that is missing", async () => {
  const { enabled: _, ...options } = channelOptions.parse({});
  expect(file.configure(options, {})).toBeUndefined();
  const settings = file.configure(options, { FILE_CHANNEL: folder });
  if (!settings) throw new Error("it is off");
  const log = pino({ level: "silent" });
  expect(await file.doctor(settings, log)).toMatchObject({ state: "ok" });
  const gone = { ...settings, folder: join(folder, "gone") };
  expect(await file.doctor(gone, log)).toMatchObject({ state: "broken", detail: expect.stringContaining(gone.folder) });
});

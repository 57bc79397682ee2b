// full: starts the program
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { measureFiles, readBundle } from "../support/built-bundle.ts";
import { listGrown } from "../support/bundle-sizes.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { startFakeBotApi } from "../support/telegram/fake-bot-api.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

test("an idle bot on Telegram has loaded no more than the table allows", async () => {
  await using telegram = await startFakeBotApi();
  const output = join(await createTemporaryFolder(), "loaded");
  const kurisu = await startKurisu({
    folder: createKurisuFolder(),
    preload: fileURLToPath(new URL("../support/tell-loaded-files.ts", import.meta.url)),
    environment: {
      LOADED_FILES: output,
      TELEGRAM_API_ROOT: telegram.url,
      TELEGRAM_BOT_TOKEN: telegram.token,
      KURISU_MODEL: "openai:none",
      OPENAI_API_KEY: "none",
      DOCKER_HOST: "unix:///nonexistent/docker.sock",
    },
  });
  await telegram.waitFor(() => telegram.callsOf("getUpdates").length > 0, "the first request for messages");
  await kurisu.stop();
  const loaded = new Set(
    readFileSync(output, "utf8")
      .split("\n")
      .map((url) => basename(url)),
  );
  const files = readBundle().filter(({ name }) => loaded.has(name));
  expect(files.map(({ name }) => name)).toContain("kurisu.mjs");
  const writesMeasures = ({ modules }: (typeof files)[number]) =>
    modules.some((path) => /prom-client|@opentelemetry/.test(path));
  expect(readBundle().some(writesMeasures)).toBe(true);
  expect(files.filter(writesMeasures), "files that write metrics and traces").toEqual([]);
  expect(listGrown("idle", measureFiles(files))).toEqual([]);
});

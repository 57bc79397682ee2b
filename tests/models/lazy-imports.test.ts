import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { patienceMs } from "../support/patience.ts";

const program = fileURLToPath(new URL("../support/models/list-model-imports.ts", import.meta.url));

async function listImports(models: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, models], { timeout: patienceMs });
  return JSON.parse(stdout);
}

test("the offline model alone loads no client of a server, also with others behind it", async () => {
  expect(await listImports("offline")).toEqual([]);
  expect(await listImports("offline,openai:x,anthropic:y")).toEqual([]);
});

test("the client of a server is loaded when that server is asked", async () => {
  expect(await listImports("ollama:x")).toEqual(["chat-completions", "undici"]);
});

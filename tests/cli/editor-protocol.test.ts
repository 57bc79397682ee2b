import { join } from "node:path";
import { expect, test } from "vitest";
import { importedOnlyIn, loadedLater, readSources } from "../support/source-rules.ts";

const sdk = /^@agentclientprotocol\//;
const isItsFolder = (path: string): boolean => path.startsWith("src/cli/acp/");
const file = (path: string, text: string) => ({ path, text });

test("the SDK of the Agent Client Protocol is imported in one folder only, and loaded for that command", () => {
  const onlyThere = importedOnlyIn("imports the SDK", sdk, isItsFolder);
  const later = loadedLater(/^@agentclientprotocol\/|\/serve-editor\.ts$/, isItsFolder);
  expect(onlyThere([file("src/kernel/a.ts", 'import { agent } from "@agentclientprotocol/sdk";')])).toHaveLength(1);
  expect(later([file("src/cli/acp.ts", 'import { serveEditor } from "./acp/serve-editor.ts";')])).toHaveLength(1);
  const files = readSources(join(import.meta.dirname, "..", ".."), ["src"]);
  expect([...onlyThere(files), ...later(files)]).toEqual([]);
});

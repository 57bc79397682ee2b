// full: starts the conformance suite of MCP
/* The official conformance suite of the Model Context Protocol, against our client and our server. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createClientDriver } from "../../support/mcp/conformance/drive-client.ts";
import { readBaseline, runSuite, type SuiteRun } from "../../support/mcp/conformance/run-suite.ts";
import { serveSubject } from "../../support/mcp/conformance/serve-subject.ts";

const relay = fileURLToPath(new URL("../../support/mcp/conformance/relay.ts", import.meta.url));
/** Measures how late we are, in tenths of a second: beside other tests it may need a few attempts. */
const timed = "sse-retry";

/** Shown only where something is not as it was: it is long. */
function explain({ failed, output }: SuiteRun, known: readonly string[], told: readonly string[] = []): void {
  if (failed.join() !== known.join()) process.stderr.write(`${output}\n${told.join("\n\n")}\n`);
}

test("our client passes the suite's scenarios, but for those of the baseline", async () => {
  const told: string[] = [];
  const subject = await createClientDriver();
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const said = await subject.drive(JSON.parse(await text(request))).then(
      (words) => ({ status: 200, words }),
      (error: unknown) => ({ status: 500, words: String(error) }),
    );
    told.push(said.words);
    response.writeHead(said.status).end(said.words);
  }
  const driver = createServer((request, response) => void answer(request, response));
  driver.listen(0, "127.0.0.1");
  await once(driver, "listening");
  onTestFinished(() => void driver.close());
  const { port } = driver.address() as AddressInfo;
  const command = [process.execPath, relay, `http://127.0.0.1:${port}`].map((part) => `'${part}'`).join(" ");
  const all = await runSuite("client", ["--suite", "all", "--command", command]);
  const known = readBaseline("client");
  let late: readonly string[] = all.failed.filter((name) => name === timed);
  for (let again = 0; again < 3 && late.length > 0; again += 1) {
    late = (await runSuite("client", ["--suite", "core", "--command", command])).failed;
  }
  const failed = [...all.failed.filter((name) => name !== timed), ...late];
  explain({ ...all, failed }, known, told);
  expect(failed).toEqual(known);
  expect(all.passed.length).toBeGreaterThan(20);
});

test("our server passes the suite's scenarios, but for those of the baseline", async () => {
  const run = await runSuite("server", ["--suite", "active", "--url", await serveSubject()]);
  const known = readBaseline("server");
  explain(run, known);
  expect(run.failed).toEqual(known);
  expect(run.passed.length).toBeGreaterThan(8);
});

import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import Docker from "dockerode";
import { expect, it, vi } from "vitest";
import { sweepContainers } from "../../src/sandbox/sweep-containers.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/** Answers of an engine to removals, in their order; the last one stays. */
async function startEngine(answers: readonly number[]) {
  const socketPath = join(await createTemporaryFolder(), "docker.sock");
  let asked = 0;
  const server = createServer((request, response) => {
    const isRemoval = request.method === "DELETE";
    const status = isRemoval ? (answers[asked++] ?? 204) : 200;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(
      isRemoval ? (status === 204 ? "" : '{"message":"removal is already in progress"}') : '[{"Id":"a","Labels":{}}]',
    );
  }).listen(socketPath);
  await once(server, "listening");
  untilTestEnds(() => void server.close());
  return new Docker({ socketPath });
}

it.each([
  ["is removed", 204, { removed: 1, left: 0 }],
  ["is gone", 404, { removed: 1, left: 0 }],
  ["is being removed, which may yet fail,", 409, { removed: 0, left: 1 }],
  ["is not given up", 500, { removed: 0, left: 1 }],
])("a container that %s after an answer of %i counts so", async (_, answer, counts) => {
  const docker = await startEngine([answer]);
  const sweep = { docker, installation: "i", instance: "now", isRunning: () => false, log: { warn: vi.fn() } };
  expect(await sweepContainers(sweep)).toEqual(counts);
});

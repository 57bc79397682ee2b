import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Docker from "dockerode";
import { expect, it, onTestFinished } from "vitest";
import { attachStream } from "../../src/sandbox/attach-stream.ts";

it("an attach is refused when the engine breaks off in the middle of its answer", async () => {
  const server = createServer((_, response) => {
    response.writeHead(500, { "content-length": "100" }).write("no such");
    setTimeout(() => response.destroy(), 50);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const docker = new Docker({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, protocol: "http" });
  await expect(attachStream(docker, "0".repeat(64))).rejects.toMatchObject({ statusCode: 500 });
});

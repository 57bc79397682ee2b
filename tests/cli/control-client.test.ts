import { once } from "node:events";
import { createServer, connect, type AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createControlClient } from "../../src/cli/chat-connection.ts";

it("refuses a request after Kurisu has stopped, instead of waiting for an answer", async () => {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const client = createControlClient(socket, () => undefined);
  await client.ended;
  const asked = client.askFeature({ kind: "cancel-reminder" });
  await expect(asked).rejects.toMatchObject({ code: "CHANNEL_UNREACHABLE" });
});

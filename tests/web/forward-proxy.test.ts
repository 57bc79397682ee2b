import { request } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createForwardProxy } from "../../src/web/forward-proxy.ts";
import { createGuardedDial } from "../../src/web/guarded-dial.ts";
import { createTrafficMeter } from "../../src/web/traffic-meter.ts";

/** What a hostile site may answer: head, then the rest, then a reset. */
const answers: readonly (readonly [string, string, string, string])[] = [
  ["a chunk that is none", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "5\r\nhello\r\nZZ\r\n", "cut off"],
  ["a status that is none", "HTTP/1.1 000 X\r\n\r\n", "", "502"],
  ["another protocol", "HTTP/1.1 101 X\r\nupgrade: a\r\nconnection: upgrade\r\n\r\n", "", "502"],
  ["no HTTP at all", "garbage\r\n\r\n", "", "502"],
  ["an answer too many", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n", "helloHTTP/1.1 200 OK\r\n\r\n", "200"],
  ["controls in a header", "HTTP/1.1 200 OK\r\nx: \u0001\u0002\r\n\r\n", "", "502"],
  ["less than it said", "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n", "ab", "cut off"],
];

it.each(answers)("%s is an answer or an end, never a fault of ours", async (_, head, rest, expected) => {
  const site = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => {
      socket.write(head);
      setTimeout(() => socket.write(rest, () => setTimeout(() => socket.resetAndDestroy(), 20)), 20);
    });
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void site.close());
  const { port } = site.address() as AddressInfo;
  const proxy = createForwardProxy({
    dial: createGuardedDial({ allowAddress: () => true }),
    allow: () => undefined,
    meter: createTrafficMeter({ bytes: 1_000_000, requests: 10 }),
    record: () => undefined,
    connectionsAtOnce: 10,
    idleMs: 5_000,
  });
  onTestFinished(() => proxy.close());
  await new Promise<void>((resolve) => proxy.server.listen(0, "127.0.0.1", resolve));
  const listening = proxy.server.address() as AddressInfo;
  const ended = new Promise<string>((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port: listening.port, path: `http://127.0.0.1:${port}/` }, (answer) => {
      answer.on("error", () => resolve("cut off"));
      answer.on("end", () => resolve(String(answer.statusCode)));
      answer.resume();
    });
    asked.on("error", reject);
    asked.end();
  });
  expect(await ended).toBe(expected);
});

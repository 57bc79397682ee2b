import { getEventListeners, once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGuardedDial, RefusedByGuard } from "../../src/web/guarded-dial.ts";

/** A port that says hello, and who is connected to it. */
async function startPort(host = "127.0.0.1") {
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
    socket.write("hello");
  });
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, open, connections: () => connections };
}

const anywhere = () => true;
const stands = (...addresses: readonly string[]) => ({
  resolve: () => Promise.resolve(addresses.map((address) => ({ address, family: 4 }))),
});
const faultOf = (work: Promise<Socket>): Promise<unknown> =>
  work.then(
    (socket) => {
      socket.destroy();
      return "connected";
    },
    (error: unknown) => error,
  );

describe("the guarded dial", () => {
  it.each([
    ["the address itself", "127.0.0.1", stands()],
    ["the address of a name", "a.example", stands("127.0.0.1")],
    ["the first of its addresses that answers", "a.example", stands("127.0.0.2", "127.0.0.1")],
    ["one of several", "a.example", stands("127.0.0.1", "127.0.0.2")],
  ])("connects to %s", async (_, host, options) => {
    const { port } = await startPort();
    const signal = new AbortController().signal;
    for (const stop of [undefined, signal]) {
      const socket = await createGuardedDial({ ...options, allowAddress: anywhere })(host, port, stop);
      expect([socket.remoteAddress, socket.remotePort]).toEqual(["127.0.0.1", port]);
      expect(String((await once(socket, "data"))[0])).toBe("hello");
      socket.destroy();
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("says no to what may not be reached, by a fault of its own kind", async () => {
    const { port, connections } = await startPort();
    const dial = createGuardedDial({ ...stands("127.0.0.1"), allowAddress: () => false });
    for (const host of ["127.0.0.1", "a.example", "nas"]) {
      const fault = await faultOf(dial(host, port));
      expect(fault).toBeInstanceOf(RefusedByGuard);
      expect(fault).toMatchObject({ name: "RefusedByGuard", message: expect.stringContaining(host) as string });
    }
    expect(connections()).toBe(0);
  });

  it("the guarded dial tells a network that fails from a refusal", async () => {
    const { port } = await startPort("127.0.0.3");
    const allowAddress = anywhere;
    const nowhere = await faultOf(createGuardedDial({ ...stands(), allowAddress })("a.example", port));
    expect(nowhere).toEqual(new Error("a.example has no address; check the name."));
    expect(nowhere).not.toBeInstanceOf(RefusedByGuard);
    for (const addresses of [["127.0.0.1"], ["127.0.0.1", "127.0.0.2"]]) {
      const closed = await faultOf(createGuardedDial({ ...stands(...addresses), allowAddress })("a.example", port));
      expect(closed).toMatchObject({ code: "ECONNREFUSED" });
    }
  });

  it("the guarded dial checks the peer's address, and hangs up when it is another one", async () => {
    const { port, open, connections } = await startPort();
    const looked: unknown[] = [];
    // Stands for a connection that ends elsewhere than at the address that was checked.
    const allowAddress = (...place: readonly unknown[]) => looked.push(place) === 1;
    const fault = await faultOf(createGuardedDial({ allowAddress })("127.0.0.1", port));
    expect(fault).toEqual(new RefusedByGuard("127.0.0.1 led to an address that is not public; it cannot be opened."));
    expect(looked).toEqual([
      ["127.0.0.1", port],
      ["127.0.0.1", port],
    ]);
    await expect.poll(() => [connections(), open.size]).toEqual([1, 0]);
  });

  it("the guarded dial does nothing once it is stopped", async () => {
    const { port, connections } = await startPort();
    let asked = 0;
    const resolve = () => {
      asked += 1;
      return Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    };
    const stopped = AbortSignal.abort(new Error("enough"));
    const fault = await faultOf(createGuardedDial({ resolve, allowAddress: anywhere })("a.example", port, stopped));
    expect(fault).toEqual(new Error("enough"));
    expect([getEventListeners(stopped, "abort"), connections()]).toEqual([[], 0]);
    expect(asked).toBeLessThanOrEqual(1);
  });

  it("waits for no resolver once it is stopped", async () => {
    const stop = new AbortController();
    const dial = createGuardedDial({ resolve: () => new Promise(() => undefined), allowAddress: anywhere });
    const fault = faultOf(dial("a.example", 80, stop.signal));
    stop.abort(new Error("enough"));
    expect(await fault).toEqual(new Error("enough"));
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  });

  it("hangs up when it is stopped while it connects", async () => {
    const { port, open } = await startPort();
    const stop = new AbortController();
    const fault = faultOf(createGuardedDial({ allowAddress: anywhere })("127.0.0.1", port, stop.signal));
    // Connecting takes a turn of the event loop; looking up an address takes none.
    for (let step = 0; step < 50; step += 1) await Promise.resolve();
    stop.abort(new Error("enough"));
    expect(await fault).toMatchObject({ name: "AbortError" });
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    await expect.poll(() => open.size).toBe(0);
  });
});

import { expect, it, vi } from "vitest";
import { createKnownSecrets } from "../../src/core/known-secrets.ts";
import { createLog } from "../../src/core/log.ts";
import { createLeases } from "../../src/kernel/claims/leases.ts";

it("a claim whose answer was read long after the question is not trusted", async () => {
  const now = vi.spyOn(performance, "now");
  const taken = Promise.withResolvers<string>();
  const leases = createLeases({
    queue: {
      offer: async () => undefined,
      // The process sleeps between the server's answer and its reading.
      async take() {
        const before = performance.now();
        now.mockImplementation(() => before + 12_000);
        return [{ id: "1", key: "chat", retryCount: 0 }];
      },
      touch: async () => new Set(),
      giveBack: async () => undefined,
    },
    room: () => 1,
    onTaken: taken.resolve,
    onLost: () => undefined,
    log: createLog({ level: "silent", secrets: createKnownSecrets([]) }),
  });
  leases.start();
  expect(await taken.promise).toBe("chat");
  expect(leases.holds("chat")).toBe(false);
  await leases.stop();
  now.mockRestore();
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bindCallNow, hashCall } from "../../../src/kernel/gate/call-hash.ts";
import { makePlainTool } from "../../support/plain-tool.ts";

const call = { tool: "shell", input: { command: "ls -la", timeout: 30 }, session: "fake:bot:room", policy: "p1" };

describe("hashCall", () => {
  it("the hash does not depend on the order of the arguments", () => {
    expect(hashCall({ ...call, input: { timeout: 30, command: "ls -la" } })).toBe(hashCall(call));
  });

  it.each([
    ["another tool", { tool: "file_read" }],
    ["another command", { input: { command: "ls -lA", timeout: 30 } }],
    ["another limit", { input: { command: "ls -la", timeout: 31 } }],
    ["an argument more", { input: { command: "ls -la", timeout: 30, network: true } }],
    ["a number as text", { input: { command: "ls -la", timeout: "30" } }],
    ["another session", { session: "fake:bot:hall" }],
    ["other rules", { policy: "p2" }],
    ["hosts it may reach", { network: ["pypi.org"] }],
    ["something to be bound to", { binding: { image: "sha256:1" } }],
    ["nothing known to be bound to", { binding: { image: null } }],
  ])("differs for %s", (_, changes) => {
    expect(hashCall({ ...call, ...changes })).not.toBe(hashCall(call));
  });

  it("differs for any two lists of hosts, and an empty one is none", () => {
    const lists = [[], ["pypi.org"], ["pypi.org:443"], ["*.pypi.org"], ["a.org", "pypi.org"], ["a.org,pypi.org"]];
    expect(new Set(lists.map((network) => hashCall({ ...call, network }))).size).toBe(lists.length);
    expect(hashCall({ ...call, network: [] })).toBe(hashCall(call));
  });

  it("differs from image to image", () => {
    const [one, other] = ["sha256:1", "sha256:2"].map((image) => hashCall({ ...call, binding: { image } }));
    expect(one).not.toBe(other);
    expect(hashCall({ ...call, binding: undefined })).toBe(hashCall(call));
  });

  it("differs for any two settings of the tool, and none is none", async () => {
    const [one, other] = [["a.org"], ["b.org"]].map((hosts) => hashCall({ ...call, definition: { hosts } }));
    expect(new Set([one, other, hashCall(call)]).size).toBe(3);
    const { tool: _, ...rest } = { ...call, network: [] };
    const { hash: set } = await bindCallNow(makePlainTool({ name: "shell", definition: { hosts: ["a.org"] } }), rest);
    expect(set).toBe(one);
  });

  it("the hash covers what the tool binds of this call at that moment", async () => {
    const { tool: _, ...rest } = { ...call, network: ["pypi.org"] };
    const told: unknown[] = [];
    const binding = async (...given: readonly unknown[]) => {
      told.push(...given);
      return { image: "sha256:1" };
    };
    const { hash } = await bindCallNow(makePlainTool({ name: "shell", binding }), rest);
    expect(hash).toBe(hashCall({ ...call, network: ["pypi.org"], binding: { image: "sha256:1" } }));
    expect(told).toEqual([call.input, rest]);
    const { hash: plain } = await bindCallNow(makePlainTool({ name: "shell" }), rest);
    expect(plain).toBe(hashCall({ ...call, network: ["pypi.org"] }));
  });

  it("comes with what the tool would run in, where the tool says so", async () => {
    const { tool: _, ...rest } = { ...call, network: [] };
    const binding = () => Promise.resolve({ image: "sha256:1" });
    expect(await bindCallNow(makePlainTool({ name: "shell", binding }), rest)).toStrictEqual({
      hash: hashCall({ ...call, binding: { image: "sha256:1" } }),
      binding: { image: "sha256:1" },
    });
    expect(await bindCallNow(makePlainTool({ name: "shell" }), rest)).toStrictEqual({ hash: hashCall(call) });
  });

  it("differs for any two different commands, also those that look the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
        fc.pre(one !== other && one.isWellFormed() && other.isWellFormed());
        expect(hashCall({ ...call, input: { command: one } })).not.toBe(
          hashCall({ ...call, input: { command: other } }),
        );
      }),
    );
    const looksAlike = ["rm a", "rm\u00a0a", "rm \u200ba", "rm \u0430"].map((command) =>
      hashCall({ ...call, input: { command } }),
    );
    expect(new Set(looksAlike).size).toBe(4);
  });
});

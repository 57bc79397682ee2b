import { describe, expect, it } from "vitest";
import { findTaintReason } from "../../../src/kernel/gate/taint-reason.ts";
import type { KnownTool } from "../../../src/kernel/gate/types.ts";

const tool = (more: Partial<KnownTool>): KnownTool => ({ readOnly: true, source: "builtin", ...more }) as KnownTool;
const goes = (...addresses: string[]) => tool({ reaches: () => addresses });
const named = ["https://a.example/x"];

describe("a call after untrusted content", () => {
  it.each([
    ["reads here", tool({}), false],
    ["has an effect", tool({ readOnly: false }), true],
    ["has an effect that is labelled for itself", tool({ readOnly: false, contained: true }), false],
    ["goes where the person said", goes("https://a.example/x"), false],
    ["goes there, written another way", goes("HTTPS://A.EXAMPLE:443/x"), false],
    ["goes somewhere else", goes("https://a.example/y"), true],
    ["takes something along", goes("https://a.example/x?q=secret"), true],
    ["goes there and somewhere else", goes("https://a.example/x", "https://b.example/"), true],
    ["goes to what is no address", goes("not an address"), true],
    ["has an effect where the person said", tool({ readOnly: false, reaches: () => named }), true],
    ["asks a server of others", tool({ source: "mcp" }), true],
    ["asks it where the person said", tool({ source: "mcp", reaches: () => named }), true],
    ["asks the operator's server", tool({ source: "http", reaches: () => ["https://api.example/?w=x"] }), true],
  ] as const)("%s", (_, one, asks) => {
    const turn = { sources: ["b.example"], addresses: named };
    const reason = findTaintReason(one, {}, { taint: "untrusted", ...turn });
    expect(reason).toEqual(asks ? { kind: "taint", sources: ["b.example"] } : undefined);
    for (const taint of ["owner", "user"] as const)
      expect(findTaintReason(one, {}, { taint, ...turn })).toBeUndefined();
  });

  it("asks when nothing is known of addresses", () => {
    expect(findTaintReason(goes("https://a.example/x"), {}, { taint: "untrusted" })).toEqual({
      kind: "taint",
      sources: [],
    });
  });
});

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { installCard } from "../../../src/core/persona/cards/install-card.ts";
import { makePersona } from "../../../src/core/persona/cards/make-persona.ts";
import { readCard } from "../../../src/core/persona/cards/read-card.ts";

let own: string;
beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), "kurisu-install-"));
});
afterEach(() => rmSync(own, { recursive: true, force: true }));

const shipped = join(import.meta.dirname, "../../../config/personas");
const soulOf = (id: string): string => readFileSync(join(own, id, "soul.md"), "utf8");

async function install(description: string, id = "mira", rename?: typeof renameSync): Promise<string> {
  const read = await readCard(Buffer.from(JSON.stringify({ name: "Mira", description })));
  if (read.kind === "refused") throw new Error(read.problem);
  const result = makePersona(read.card, false);
  if (!result.ok) throw new Error(result.problem);
  return installCard({ own, shipped }, { id, read, made: result.made }, rename);
}

describe("an import", () => {
  it("a failure in the last step leaves the earlier persona in place", async () => {
    expect(await install("first")).toBe("");
    const failsOnce: typeof renameSync = (from, to) => {
      if (String(from).endsWith("/mira") && String(from).includes(".import-")) throw new Error("disk full");
      renameSync(from, to);
    };
    await expect(install("second", "mira", failsOnce)).rejects.toThrow("disk full");
    expect(soulOf("mira")).toContain("first");
    expect(readdirSync(own)).toEqual(["mira"]);
  });

  it("an import under the id `former` works and replaces the persona there", async () => {
    expect(await install("first", "former")).toBe("");
    expect(await install("second", "former")).toBe("");
    expect(soulOf("former")).toContain("second");
  });

  it("removes what a killed import left an hour ago, and brings the persona back that it had moved away", async () => {
    for (const [name, age] of [
      ["old", 2],
      ["new", 0],
    ] as const) {
      const aside = join(own, `.import-${name}`);
      mkdirSync(join(aside, `nora-${name}`), { recursive: true });
      mkdirSync(join(aside, ".former"));
      writeFileSync(join(aside, ".former", "soul.md"), "Nora");
      const time = Date.now() / 1_000 - age * 3_600;
      utimesSync(aside, time, time);
    }
    expect(await install("first")).toBe("");
    expect(readdirSync(own)).toEqual([".import-new", "mira", "nora-old"]);
    expect(soulOf("nora-old")).toBe("Nora");
  });

  it("keeps card.json in few enough bytes to be read again", async () => {
    const list = Array.from({ length: 1_000_000 }, () => 1);
    const json = JSON.stringify({ name: "Mira", description: "x", extensions: { list, more: "y".repeat(5_000_000) } });
    const read = await readCard(Buffer.from(json));
    if (read.kind === "refused") throw new Error(read.problem);
    const result = makePersona(read.card, false);
    if (!result.ok) throw new Error(result.problem);
    expect(installCard({ own, shipped }, { id: "mira", read, made: result.made })).toBe("");
    expect(await readCard(readFileSync(join(own, "mira", "card.json")))).toMatchObject({ kind: "card" });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { formatFault, readYamlFile, readYamlText } from "../../src/core/yaml-file.ts";

const schema = z.strictObject({
  name: z.string(),
  port: z.number().int().max(65_535).default(10_485),
  token: z.string().min(10).meta({ sensitive: true }).optional(),
  servers: z.array(z.strictObject({ host: z.string(), mode: z.enum(["fast", "slow"]).default("fast") })).default([]),
});

function faultsOf(text: string, environment: Record<string, string | undefined> = {}): string[] {
  const result = readYamlText(text, "x.yaml", schema, environment);
  return result.kind === "faulty" ? result.faults.map(formatFault) : [];
}

function valueOf(text: string, environment: Record<string, string | undefined> = {}): unknown {
  const result = readYamlText(text, "x.yaml", schema, environment);
  return result.kind === "read" ? result.value : result.faults.map(formatFault);
}

describe("readYamlText", () => {
  it("reads a file and fills in the defaults", () => {
    expect(valueOf("name: Amadeus\nservers:\n  - host: a\n")).toEqual({
      name: "Amadeus",
      port: 10_485,
      servers: [{ host: "a", mode: "fast" }],
    });
  });

  it("reports every fault of a file at once, each with its place", () => {
    expect(faultsOf("port: many\nservers:\n  - hots: a\n    mode: quick\nextra: 1\n")).toEqual([
      "x.yaml:1:1 name: is missing (expected string)",
      "x.yaml:1:7 port: expected number, received string",
      "x.yaml:3:5 servers.0.host: is missing (expected string)",
      "x.yaml:3:5 servers.0.hots: is not a known key; did you mean host?",
      "x.yaml:4:11 servers.0.mode: must be one of fast, slow",
      "x.yaml:5:1 extra: is not a known key",
    ]);
  });

  it("refuses a key that is there twice, and broken YAML", () => {
    expect(faultsOf("name: a\nname: b\n")).toEqual(["x.yaml:2:1 is no valid YAML: Map keys must be unique"]);
    expect(faultsOf("name: [a\nb: }\n: :\n"), "behind it the parser is lost").toHaveLength(1);
    expect(faultsOf("name: [a\n")[0]).toMatch(/^x\.yaml:\d+:\d+ is no valid YAML: /);
    expect(faultsOf("a: 1\n---\nb: 2\n")[0]).toContain("is no valid YAML");
  });

  it("treats an empty file as an empty mapping", () => {
    const optional = z.strictObject({ port: z.number().default(1) });
    expect(readYamlText("# nothing yet\n", "x.yaml", optional, {})).toEqual({ kind: "read", value: { port: 1 } });
  });

  it("fills variables after parsing, so that a value never becomes structure", () => {
    const environment = { NAME: 'x"\nport: 1', EMPTY: "" };
    expect(valueOf("name: ${NAME}\n", environment)).toMatchObject({ name: 'x"\nport: 1', port: 10_485 });
    expect(valueOf('name: "a ${EMPTY:-b} $$5 $HOME"\n', environment)).toMatchObject({ name: "a b $5 $HOME" });
    expect(valueOf("name: ${UNSET:-}\n")).toMatchObject({ name: "" });
  });

  it("lets a bare variable be a number where the schema wants one, and text where it wants text", () => {
    expect(valueOf("name: ${N}\nport: ${N}\n", { N: "8080" })).toMatchObject({ name: "8080", port: 8080 });
    expect(valueOf('name: a\nport: "${N}"\n', { N: "8080" })).toEqual([
      "x.yaml:2:7 port: expected number, received string",
    ]);
  });

  it("reports a variable that is not set and one that is badly written, once each", () => {
    expect(faultsOf("name: ${WHO}\nport: ${A B}\n")).toEqual([
      "x.yaml:1:7 name: the environment variable WHO is not set",
      "x.yaml:2:7 port: a variable is written ${NAME} or ${NAME:-default}; a dollar sign is $$",
    ]);
  });

  it("never repeats the value of a sensitive field", () => {
    const loud = z.strictObject({
      token: z
        .string()
        .refine((text) => text.length > 20, { error: (issue) => `${String(issue.input)} is too short` })
        .meta({ sensitive: true })
        .optional(),
    });
    const result = readYamlText("token: hunter2\n", "x.yaml", loud, {});
    expect(JSON.stringify(result)).not.toContain("hunter2");
    expect(JSON.stringify(readYamlText('token: "a" hunter2\n', "x.yaml", loud, {}))).not.toContain("hunter2");
    expect(JSON.stringify(readYamlText("token: *hunter2\n", "x.yaml", loud, {}))).not.toContain("hunter2");
  });

  it("explains a union by the alternative that got furthest", () => {
    const union = z.strictObject({ at: z.union([z.string(), z.strictObject({ hour: z.number() })]) });
    const result = readYamlText("at:\n  hour: late\n", "x.yaml", union, {});
    expect(result.kind === "faulty" && result.faults.map(formatFault)).toEqual([
      "x.yaml:2:9 at.hour: expected number, received string",
    ]);
  });

  it("stops a bomb of aliases", () => {
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 8; level += 1) {
      const previous = String.fromCharCode(96 + level);
      const next = String.fromCharCode(97 + level);
      lines.push(`${next}: &${next} [${Array.from({ length: 10 }, () => `*${previous}`).join(", ")}]`);
    }
    const result = readYamlText(lines.join("\n"), "x.yaml", z.unknown(), {});
    expect(result).toMatchObject({ kind: "faulty", faults: [{ problem: "holds too many aliases" }] });
  });

  it("keeps a key called __proto__ as data", () => {
    const record = z.record(z.string(), z.unknown());
    readYamlText("__proto__:\n  polluted: true\n", "x.yaml", record, {});
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("readYamlFile", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "kurisu-yaml-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("tells a missing file from one that cannot be read", () => {
    expect(readYamlFile(join(folder, "none.yaml"), schema, {})).toEqual({ kind: "missing" });
    expect(readYamlFile(folder, schema, {})).toMatchObject({
      kind: "faulty",
      faults: [{ line: 1, column: 1, problem: "cannot be read (EISDIR)" }],
    });
  });

  it("reads what is there, byte order mark and Windows line ends included", () => {
    const file = join(folder, "a.yaml");
    writeFileSync(file, "\uFEFFname: a\r\nport: 2\r\n");
    expect(readYamlFile(file, schema, {})).toMatchObject({ kind: "read", value: { name: "a", port: 2 } });
  });
});

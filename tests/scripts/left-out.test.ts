import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isOnlyLeftOut, joinLeftOut } from "../support/left-out.ts";

const containers = "!!! Left out: tests with containers: Docker does not answer. Start it: systemctl start docker.";
const rows = ["ssrf.jsonl", "events.jsonl", "ssrf.jsonl"].map(
  (name) => `!!! Left out: tests with collected data: ${name} is not in ../shared/data`,
);

it("the summary puts what a machine lacks in one line, with each reason once", () => {
  expect(joinLeftOut([containers, ...rows])).toBe(
    "!!! Left out: tests with containers (Docker does not answer. Start it: systemctl start docker.), " +
      "tests with collected data (ssrf.jsonl is not in ../shared/data; events.jsonl is not in ../shared/data)",
  );
});

it("a machine that lacks nothing is told nothing", () => {
  expect(joinLeftOut([])).toBeUndefined();
});

it("other words of a worker are shown beside the lines that are gathered", () => {
  expect(isOnlyLeftOut(`\n${containers}\n${rows[0]}\n`)).toBe(true);
  expect(isOnlyLeftOut(`${containers}\nA warning of a library.\n`)).toBe(false);
});

it("no test and no support of tests warns past the one line", () => {
  const root = join(import.meta.dirname, "..", "..");
  const files = globSync("tests/**/*.ts", { cwd: root, exclude: (path) => path.includes("node_modules") });
  const call = ["console", "warn("].join(".");
  const warning = files.filter((path) => readFileSync(join(root, path), "utf8").includes(call));
  expect(warning).toEqual(["tests/support/left-out.ts"]);
});

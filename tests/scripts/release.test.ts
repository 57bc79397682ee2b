// full: builds the package and starts the program
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBundle } from "../support/built-bundle.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const { listLicences } = (await import(join(root, "scripts/release/licences.mjs"))) as {
  listLicences(root: string): readonly { readonly name: string; readonly licence: string }[];
};
const { judgeAudit } = (await import(join(root, "scripts/release/judge-audit.mjs"))) as {
  judgeAudit(report: object, explained: Readonly<Record<string, string>>): { readonly line: string };
};

const readStatus = (folder: string): string =>
  execFileSync("git", ["status", "--porcelain"], { cwd: folder, encoding: "utf8" });

const out = mkdtempSync(join(tmpdir(), "kurisu-release-test-"));
const released = { stdout: "", before: "", after: "" };
afterAll(() => rmSync(out, { recursive: true, force: true }));
beforeAll(() => {
  released.before = readStatus(root);
  // Tests run before a commit as well, and where no registry answers.
  const given = ["scripts/release.mjs", "--dirty", "--offline", "--out", out];
  released.stdout = execFileSync(process.execPath, given, { cwd: root, encoding: "utf8", stdio: "pipe" });
  released.after = readStatus(root);
});

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, Locked>;
};
const nameOf = (path: string): string => path.split("node_modules/").at(-1) ?? "";
/** The packages installed here: npm leaves out those for other systems. */
const production = Object.entries(packages)
  .filter(([path, { dev }]) => path !== "" && dev !== true && existsSync(join(root, path)))
  .map(([path, { version }]) => `${nameOf(path)} ${version}`);

const version = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
const listed = (): readonly { package: string; licence: string }[] =>
  [...readFileSync(join(out, "THIRD-PARTY-LICENSES.txt"), "utf8").matchAll(/^={80}\n(.+)\n(.+)\n={80}$/gm)].map(
    ([, name = "", licence = ""]) => ({ package: name, licence }),
  );

describe("npm run release", () => {
  test("the release holds the package, its parts, licences, audit and units, with the sum of each", () => {
    const names = [
      "THIRD-PARTY-LICENSES.txt",
      "audit.json",
      `kurisu-${version}.cdx.json`,
      `kurisu-${version}.tgz`,
      "kurisu-guard.service",
      "kurisu.service",
    ];
    expect(readdirSync(out).toSorted()).toEqual(["SHA256SUMS", ...names].toSorted());
    const sums = names.map((name) => {
      const sum = createHash("sha256").update(readFileSync(join(out, name)));
      return `${sum.digest("hex")}  ${name}\n`;
    });
    expect(readFileSync(join(out, "SHA256SUMS"), "utf8")).toBe(sums.join(""));
  });

  test("the release leaves the status of the checkout as it was, and says what it did not do", () => {
    expect(released.after).toBe(released.before);
    expect(released.stdout).toContain("not audited: --offline\nnot tried: --offline\n");
    expect(released.stdout).toMatch(/do not publish it\.(?: Run it again without --dirty\.)?\n$/);
    expect(released.stdout).not.toMatch(/npm publish|git tag/);
  });

  test("the licences cover every production dependency and every package in the bundle, and all are permissive", () => {
    const names = listed().map((one) => one.package);
    expect(production.length).toBeGreaterThan(200);
    expect(production.filter((one) => !names.includes(one))).toEqual([]);
    const inBundle = new Set(
      readBundle().flatMap(({ modules }) =>
        modules.flatMap((path) => {
          const inside = path.split("node_modules/").at(-1) ?? "";
          return inside === path ? [] : [/^(?:@[^/]+\/)?[^/]+/.exec(inside)?.[0] ?? inside];
        }),
      ),
    );
    expect(inBundle.size).toBeGreaterThan(50);
    const bare = new Set(names.map((name) => name.replace(/ [^ ]+$/, "")));
    expect([...inBundle].filter((name) => !bare.has(name))).toEqual([]);
    // A copy on another system brings its own build of sqlite-vec.
    expect(bare).toContain("sqlite-vec-darwin-arm64");
    const licences = [...new Set(listed().map(({ licence }) => licence))];
    expect(
      licences.filter((licence) => /GPL|SSPL|BUSL|MPL|EPL|CC-BY|UNLICENSED|SEE LICEN|undefined/.test(licence)),
    ).toEqual([]);
  });

  test("the list of parts names every production dependency", () => {
    const sbom = JSON.parse(readFileSync(join(out, `kurisu-${version}.cdx.json`), "utf8")) as {
      bomFormat: string;
      metadata: { component: { name: string; version: string } };
      components: readonly { name: string; version: string }[];
    };
    const { name, version: made } = sbom.metadata.component;
    expect([sbom.bomFormat, name, made]).toEqual(["CycloneDX", "kurisu", version]);
    const named = new Set(sbom.components.map((one) => `${one.name} ${one.version}`));
    expect(production.filter((one) => !named.has(one))).toEqual([]);
  });

  test("the package answers 你好 in an empty folder, where its data is then, and its hints begin with npx", async () => {
    const folder = await createTemporaryFolder();
    const installed = join(folder, "node_modules", "kurisu");
    mkdirSync(installed, { recursive: true });
    execFileSync("tar", ["-xzf", join(out, `kurisu-${version}.tgz`), "-C", installed, "--strip-components=1"]);
    const locked = JSON.parse(readFileSync(join(installed, "npm-shrinkwrap.json"), "utf8")) as typeof released & {
      packages: Record<string, Locked>;
    };
    // As npm would install them, without a registry.
    for (const path of Object.keys(locked.packages))
      if (path !== "" && existsSync(join(root, path)))
        cpSync(join(root, path), join(folder, path), { recursive: true });
    const run = (...given: string[]) =>
      spawnSync(process.execPath, [join(installed, "dist", "kurisu.mjs"), ...given], {
        cwd: folder,
        env: { PATH: process.env["PATH"], HOME: folder, KURISU_MODEL: "offline", KURISU_LANGUAGE: "zh" },
        encoding: "utf8",
      });
    expect(run("--version").stdout).toBe(`${version}\n`);
    const { status, stdout } = run("chat", "--once", "你好");
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/\p{Script=Han}/u) });
    expect(stdout).toContain("`npx kurisu setup`");
    expect(readdirSync(folder).toSorted()).toEqual(["data", "node_modules"]);
    const { stderr } = run("setup");
    const example = join(installed, ".env.example");
    expect(stderr).toContain(`copy ${example} to .env`);
    expect(existsSync(example)).toBe(true);
  });

  test("the release refuses a checkout with changes that are not committed, names them, and writes nothing", async () => {
    const checkout = await createTemporaryFolder();
    for (const path of ["scripts/release.mjs", "scripts/release", "package.json", "CHANGELOG.md", ".gitignore"])
      cpSync(join(root, path), join(checkout, path), { recursive: true });
    const git = (...given: string[]) => execFileSync("git", given, { cwd: checkout, stdio: "pipe" });
    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "a");
    writeFileSync(join(checkout, "changed.txt"), "");
    const before = readStatus(checkout);
    const run = spawnSync(process.execPath, ["scripts/release.mjs"], { cwd: checkout, encoding: "utf8" });
    expect(run).toMatchObject({ status: 78, stdout: "" });
    expect(run.stderr).toBe(
      "The checkout has changes that are not committed:\n?? changed.txt\n" +
        "  What to do: commit them, or add --dirty for a trial that is not to be published.\n",
    );
    expect(readStatus(checkout)).toBe(before);
    expect(existsSync(join(checkout, "release"))).toBe(false);
  });

  test("the release refuses a version without a part in the changelog", async () => {
    const checkout = await createTemporaryFolder();
    for (const name of ["scripts/release.mjs", "scripts/release", "CHANGELOG.md"])
      cpSync(join(root, name), join(checkout, name), { recursive: true });
    writeFileSync(join(checkout, "package.json"), JSON.stringify({ version: "0.1" }));
    const run = spawnSync(process.execPath, ["scripts/release.mjs"], { cwd: checkout, encoding: "utf8" });
    expect({ status: run.status, error: run.stderr }).toEqual({
      status: 78,
      error:
        "CHANGELOG.md has no part for 0.1.\n" +
        '  What to do: write what changed below a heading "## [0.1]": `doctor` shows it after an update.\n',
    });
  });

  test("the release refuses a folder that holds files", () => {
    const run = spawnSync(process.execPath, ["scripts/release.mjs", "--dirty", "--out", out], {
      cwd: root,
      encoding: "utf8",
    });
    expect(run.status).toBe(78);
    expect(run.stderr).toContain(`${out} is not empty.`);
  });
});

describe("the licences of a release", () => {
  const createProject = async (licence: unknown, explained: object = {}): Promise<string> => {
    const folder = await createTemporaryFolder();
    const write = (path: string, value: unknown) => {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), JSON.stringify(value));
    };
    write("package-lock.json", { packages: { "": {}, "node_modules/other": { version: "1.0.0" } } });
    write("node_modules/other/package.json", { name: "other", version: "1.0.0", license: licence });
    write("scripts/release/licences-explained.json", explained);
    return folder;
  };

  test.each([
    "GPL-3.0",
    "MIT AND AGPL-3.0-only",
    "(MIT OR (GPL-2.0 AND ISC))",
    "SEE LICENSE IN x",
    undefined,
    { type: "MIT" },
  ])("a dependency under %j fails the release, which says where it can be explained", async (licence) => {
    const folder = await createProject(licence);
    expect(() => listLicences(folder)).toThrow(
      /^other 1\.0\.0: [^]*explain it in scripts\/release\/licences-explained\.json/,
    );
  });

  test.each(["MIT", "(MIT OR GPL-3.0)", "MIT AND ISC"])("a dependency under %j passes", async (licence) => {
    expect(listLicences(await createProject(licence))).toMatchObject([{ name: "other", licence }]);
  });

  test("an explained licence passes", async () => {
    const folder = await createProject("MIT-like", { other: { licence: "MIT", why: "its text is that of MIT" } });
    expect(listLicences(folder)).toMatchObject([{ name: "other", licence: "MIT" }]);
  });
});

describe("the audit of a release", () => {
  const url = "https://github.com/advisories/GHSA-aaaa-bbbb-cccc";
  const report = {
    vulnerabilities: {
      inner: { via: [{ source: 1, name: "inner", title: "It reads too far", severity: "high", url }] },
      outer: { via: ["inner"] },
    },
  };

  test("an advisory without an explanation fails the release", () => {
    expect(() => judgeAudit(report, {})).toThrow(
      /GHSA-aaaa-bbbb-cccc \(high\) in inner: It reads too far\n {2}What to do: update the package, or explain/,
    );
  });

  test("an explained advisory, and none at all, pass", () => {
    expect(judgeAudit(report, { "GHSA-aaaa-bbbb-cccc": "not called" }).line).toMatch(
      /^1 advisories, all explained in /,
    );
    expect(judgeAudit({ vulnerabilities: {} }, {}).line).toBe("no known advisory");
  });

  test("a registry that takes no audits does not fail the release, which then says that none was made", () => {
    const answer = { message: "405 Method Not Allowed - POST https://registry.example/-/npm/v1", statusCode: 405 };
    expect(judgeAudit(answer, {}).line).toBe('not audited: the registry answered "405 Method Not Allowed - POST"');
  });
});

import { symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { isOwnVariable } from "../../../../src/config/own-variables.ts";
import { loadSkill } from "../../../../src/features/skills/loader/load-skills.ts";
import {
  isRepositoryWithoutCommit,
  readSkillSource,
  type SkillSource,
} from "../../../../src/features/skills/store/skill-source.ts";
import { createSkillStore, toOrigin, type SkillStore } from "../../../../src/features/skills/store/skill-store.ts";
import { createGuardedFetch } from "../../../../src/web/guarded-fetch.ts";
import { HandClock } from "../../../support/hand-clock.ts";
import { makeZip } from "../../../support/make-zip.ts";
import { sentencesFile } from "../../../support/match-skills.ts";
import { commitAll, makeRepository, plainSkill, writeTree } from "../../../support/skill-source.ts";
import { createTemporaryFolder } from "../../../support/temporary-folder.ts";
import { allowSites, startSite } from "../../../support/web-server.ts";

let folder: string;
let store: SkillStore;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  store = createSkillStore({
    isOwnVariable,
    home: join(folder, "home"),
    taken: () => [],
    table: sentencesFile,
    load: (place, environment) => loadSkill(dirname(place), basename(place), environment),
    clock: new HandClock(),
  });
});

async function examine(written: string, path = "") {
  const read = readSkillSource(written, { workingDirectory: folder, folder: path });
  if (!read.ok) throw new Error(read.problem);
  return await store.examine(read.source);
}

const wanted = { ok: true, skill: { id: "weather", files: [{ path: "a.md" }, { path: "skill.yaml" }] } };
const files = { "skills/weather/skill.yaml": plainSkill, "skills/weather/a.md": "a" };

describe("--path looks at its folder alone:", () => {
  test("a link, a device name and a broken skill in other folders of a local folder do not matter", async () => {
    writeTree(join(folder, "s"), { ...files, "skills/other/skill.yaml": ": no yaml", "con/x": "x" });
    symlinkSync("/etc/passwd", join(folder, "s", "link"));
    expect(await examine("s")).toMatchObject({ ok: false, problem: expect.stringContaining("link") });
    expect(await examine("s", "skills/weather")).toMatchObject(wanted);
    expect(await examine("s", "weather")).toMatchObject(wanted);
  });

  test("a link inside of the folder still refuses it", async () => {
    writeTree(join(folder, "s"), files);
    symlinkSync("/etc/passwd", join(folder, "s", "skills", "weather", "link"));
    expect(await examine("s", "skills/weather")).toMatchObject({ ok: false, problem: expect.stringContaining("link") });
  });

  test("the same holds for a commit of a repository", async () => {
    const repository = join(folder, "r");
    makeRepository(repository, { ...files, "other/SKILL.md": "x" });
    symlinkSync("/etc/passwd", join(repository, "link"));
    const commit = commitAll(repository);
    expect(await examine(`${repository}@${commit}`)).toMatchObject({ ok: false });
    expect(await examine(`${repository}@${commit}`, "skills/weather")).toMatchObject(wanted);
  });

  test("the same holds for an archive, whatever folder is around it", async () => {
    const entries = Object.entries(files).map(([name, text]) => ({
      name: `r-main/${name}`,
      content: Buffer.from(text),
    }));
    writeFileSync(join(folder, "s.zip"), makeZip([{ name: "r-main/link", mode: 0o120777 }, ...entries]));
    expect(await examine("s.zip")).toMatchObject({ ok: false, problem: expect.stringContaining("link") });
    expect(await examine("s.zip", "skills/weather")).toMatchObject(wanted);
  });

  test("a folder without a skill is named", async () => {
    writeTree(join(folder, "s"), files);
    expect(await examine("s", "skills/none")).toMatchObject({
      ok: false,
      problem: expect.stringContaining("no skill in a folder skills/none"),
    });
  });
});

describe("a .skill file", () => {
  const archive = () =>
    makeZip([
      { name: "weather/skill.yaml", content: Buffer.from(plainSkill) },
      { name: "weather/a.md", content: Buffer.from("a") },
    ]);

  test("the store reads a .skill file as a zip archive", async () => {
    writeFileSync(join(folder, "weather.skill"), archive());
    expect(await examine("weather.skill")).toMatchObject(wanted);
  });

  test("the store fetches a .skill file from an address, and the lock records the address", async () => {
    const site = await startSite(({ url }, response) =>
      response.writeHead(url === "/weather.skill" ? 200 : 404).end(archive()),
    );
    const guardedFetch = createGuardedFetch({ allowAddress: allowSites(site) });
    const source: SkillSource = { kind: "download", url: `${site.origin}/weather.skill`, folder: "" };
    expect(await store.examine(source, { guardedFetch })).toMatchObject(wanted);
    expect(toOrigin(source)).toEqual({ kind: "archive", source: `${site.origin}/weather.skill`, folder: "" });
    for (const [more, why] of [
      [{ guardedFetch }, /HTTP 404/],
      [{}, /at the terminal only/],
    ] as const)
      expect(await store.examine({ ...source, url: `${site.origin}/none.skill` }, more)).toMatchObject({
        ok: false,
        problem: expect.stringMatching(why),
      });
  });

  test.each(["https://example.org/a/weather.skill", "https://example.org/v1.tar.gz?x=1"])(
    "%s is an address of one",
    (url) =>
      expect(readSkillSource(url, { workingDirectory: folder })).toEqual({
        ok: true,
        source: { kind: "download", url, folder: "" },
      }),
  );
});

describe("the page of a folder", () => {
  const commit = "a".repeat(40);
  test.each([
    ["https://github.com/o/r/tree/main/skills/x", "skills install https://github.com/o/r --path skills/x"],
    ["https://github.com/o/r/blob/master/skills/x/SKILL.md", "skills install https://github.com/o/r --path skills/x"],
    ["https://github.com/o/r/tree/main", "skills install https://github.com/o/r"],
    [`https://github.com/o/r/tree/${commit}/x`, `skills install https://github.com/o/r@${commit} --path x`],
    ["https://gitlab.com/o/r/-/tree/main/x/", "skills install https://gitlab.com/o/r --path x"],
    ["https://github.com/o/r/tree/dev/x", "skills install https://github.com/o/r@COMMIT --path x"],
  ])("%s is answered by what to type instead", (link, command) => {
    const read = readSkillSource(link, { workingDirectory: folder });
    expect(read).toMatchObject({ ok: false, problem: expect.stringMatching(/page of a folder/) });
    expect(!read.ok && read.problem.endsWith(command)).toBe(true);
    expect(isRepositoryWithoutCommit(link)).toBe(false);
  });

  test("puts nothing into the command that a shell would run", () => {
    const read = readSkillSource("https://github.com/o/r/tree/main/x;reboot", { workingDirectory: folder });
    expect(read).toEqual({ ok: false, problem: "This is the page of a folder, not a repository." });
  });
});

test.each<[string, boolean]>([
  ["https://github.com/o/r", true],
  ["https://github.com/o/r.git", true],
  [`https://github.com/o/r@${"a".repeat(40)}`, false],
  ["https://github.com/o/r@main", false],
  ["https://github.com/o/r/x.skill", false],
  ["https://user@github.com/o/r", false],
  ["git@github.com:o/r.git", false],
])("isRepositoryWithoutCommit(%s) is %s", (source, expected) =>
  expect(isRepositoryWithoutCommit(source)).toBe(expected),
);

// full: starts the program
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { createKurisuFolder, type KurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { qqOwner, startOneBotStory } from "../support/kurisu-process/onebot-story.ts";
import { runHere } from "../support/kurisu-process/run-here.ts";
import { spawnKurisu, type KurisuProcess } from "../support/kurisu-process/spawn-kurisu.ts";
import { makeEvilServer } from "../support/mcp/evil-server.ts";
import type { RunningKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { startLoginServer } from "../support/mcp/login-server.ts";
import { mcpFile } from "../support/mcp/reference-servers.ts";
import { createTestDatabase, postgresIsThere } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait-until.ts";
import { kurisuRows, type KurisuRow, type RowWorld } from "./kurisu-rows.ts";
import { root, splitWords } from "./list-commands.ts";
import { otherRows } from "./other-rows.ts";
import { readShownConfiguration, writeShownFiles } from "./shown-world.ts";

/*
 * Every `./kurisu …` of the documents, one after the other on one data folder, most of them beside a Kurisu that runs.
 * tests/docs/commands.test.ts compares the rows with the documents.
 */

type Row<Kind extends KurisuRow["kind"]> = Extract<KurisuRow, { readonly kind: Kind }>;

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

interface Scene {
  readonly world: RowWorld;
  readonly folder: KurisuFolder;
  readonly kurisu: RunningKurisu;
  /** The folder that the backup is restored to. */
  readonly restored: KurisuFolder;
  readonly environment: Readonly<Record<string, string>>;
  readonly databaseUrl: string | undefined;
}

test("every command of ./kurisu that the documents show runs and does what they say", async () => {
  const scene = await openScene();
  const problems: string[] = [];
  for (const [form, row] of Object.entries(kurisuRows)) {
    const problem = await runRow(form, row, scene).catch((error: unknown) => String(error));
    if (problem !== undefined) problems.push(`${form}: ${problem}`);
  }
  const requests = Object.keys(otherRows).filter((form) => otherRows[form] === "asked");
  for (const form of requests) expect(await sendShownRequest(form, scene.kurisu.url)).toContain('"choices"');
  expect((await scene.kurisu.stop()).code).toBe(0);
  expect(problems.join("\n\n")).toBe("");
});

const apiToken = "a-token-of-the-test-0123456789";

/** Sends the request of a curl command to the Kurisu that runs. */
async function sendShownRequest(form: string, url: string): Promise<string> {
  const [, shownUrl = "", ...words] = splitWords(form).map(unquote);
  const valuesOf = (option: string) => words.filter((_, index) => words[index - 1] === option);
  const headers = valuesOf("-H").map(
    (line) => line.replace("$KURISU_API_TOKEN", apiToken).split(": ") as [string, string],
  );
  const body = valuesOf("-d")[0] ?? "";
  const answer = await fetch(shownUrl.replace("http://127.0.0.1:10485", url), { method: "POST", headers, body });
  return answer.text();
}

const unquote = (word: string): string => word.replaceAll(/^['"]|['"]$/g, "");

const qqGroup = "group:123456";

/** A Kurisu that runs, connected to a QQ account with a group, and a folder that has the files that the commands name. */
async function openScene(): Promise<Scene> {
  const place = realpathSync(await createTemporaryFolder());
  const files = writeShownFiles(place);
  const before = process.cwd();
  process.chdir(place);
  onTestFinished(() => process.chdir(before));

  const login = await startLoginServer();
  const lib = makeEvilServer();
  const lab = { command: process.execPath, args: [join(root, "examples/mcp-server/lab-notes.mjs")] };
  const story = await startOneBotStory("forward", {
    files: {
      ...readShownConfiguration(),
      "mcp.json": mcpFile({ lab, lib: lib.entry, locked: { url: login.url } }),
    },
    script: ({ model }) => (model === "gpt-5-mini" ? { content: "……" } : undefined),
  });
  const kurisu = await story.start({ environment: { KURISU_API_TOKEN: apiToken } });
  story.say("/pair", { chat: qqGroup, from: qqOwner, at: [story.fake.selfId] });
  await story.hear(/这个群开启了/, { chat: qqGroup });
  const { folder } = story;
  const environment = { ...story.model.environment, LANG: "en_US.UTF-8" };
  const run = (...given: readonly string[]) => runHere(given, { folder, environment });
  await run("chat", "--once", "/remember I am allergic to peanuts");
  return {
    world: {
      ...files,
      file: (name) => join(place, name),
      async logIn() {
        const { out } = await run("mcp", "login", "locked");
        return login.visit(/http:\S+\/authorize\?\S+/.exec(out)?.[0] ?? "");
      },
      async changeServer(description) {
        lib.be({ description });
        process.kill(lib.pid(), "SIGUSR2");
        await waitUntil("the quarantine", async () => (await run("tools", "list")).out.includes("quarantined"));
      },
      group: `qq:${story.fake.selfId}:123456`,
      hasEngine: dockerIsThere(),
    },
    folder,
    restored: createKurisuFolder(),
    kurisu,
    environment,
    databaseUrl: postgresIsThere() ? await createTestDatabase() : undefined,
  };
}

/** Runs a row and returns its problem; undefined = none. */
async function runRow(form: string, row: KurisuRow, scene: Scene): Promise<string | undefined> {
  switch (row.kind) {
    case "started":
    case "covered":
      return undefined;
    case "names":
      return checkHelp(form, row, scene);
    case "stays":
      return checkStay(form, row, scene);
    case "ends":
      return checkEnd(form, row, scene);
  }
}

async function readArguments(form: string, stands: Row<"ends">["stands"], world: RowWorld): Promise<readonly string[]> {
  const [, ...words] = splitWords(form).map(unquote);
  const given: string[] = [];
  for (const word of words) {
    const stand = stands?.[word] ?? word;
    given.push(typeof stand === "string" ? stand : await stand(world));
  }
  return given.filter((word) => word !== "");
}

async function checkHelp(form: string, { stands }: Row<"names">, scene: Scene): Promise<string | undefined> {
  const [name = "", ...words] = await readArguments(form, stands, scene.world);
  const { code, out } = await runHere([name, "--help"], { folder: scene.folder, environment: scene.environment });
  const missing = [name, ...words].filter((word) => /^[a-z-]+$/.test(word) && word !== "--help" && !out.includes(word));
  return code === 0 && missing.length === 0 ? undefined : `exit ${code}; its help lacks ${missing.join(", ")}`;
}

async function checkStay(form: string, row: Row<"stays">, { environment, world }: Scene): Promise<string | undefined> {
  const given = await readArguments(form, undefined, world);
  const child = spawnKurisu([...given, ...(row.more ?? [])], {
    folder: createKurisuFolder(),
    environment: { ...environment, ...row.environment },
  });
  const isReady = (): boolean => row.says.test(child.stdout());
  await waitUntil("the address", () => isReady() || child.exit() !== undefined);
  if (!isReady()) return `it ended instead of staying: ${child.stdout()}${child.stderr()}`;
  child.kill("SIGTERM");
  const { code } = await child.ended();
  return code === 0 ? undefined : `exit ${code} after SIGTERM: ${child.stderr()}`;
}

async function checkEnd(form: string, row: Row<"ends">, scene: Scene): Promise<string | undefined> {
  const { folder, restored, world, databaseUrl } = scene;
  await row.before?.(world);
  const given = await readArguments(form, row.stands, world);
  const environment = {
    ...scene.environment,
    ...(row.onPostgres === true && databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const place = { folder: row.where === "restored" ? restored : folder, environment };
  const { input } = row;
  const { code, out } =
    input === undefined ? await endHere(given, place) : await endOf(spawnKurisu(given, { ...place, input }));
  const isRefused = row.onPostgres === true && databaseUrl === undefined;
  const expected = isRefused ? 1 : (row.exits?.(world) ?? 0);
  const says = isRefused ? /DATABASE_URL is not set/ : row.says;
  if (code !== expected) return `exit ${code} instead of ${expected}\n${out.slice(-1500)}`;
  return says.test(out) ? undefined : `it does not say ${String(says)}\n${out.slice(-1500)}`;
}

async function endHere(given: readonly string[], place: Parameters<typeof runHere>[1]): Promise<Ended> {
  const { code, out, error } = await runHere(given, place);
  return { code, out: out + error };
}

async function endOf(child: KurisuProcess): Promise<Ended> {
  const { code } = await child.ended();
  return { code, out: child.stdout() + child.stderr() };
}

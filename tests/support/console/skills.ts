import { join } from "node:path";
import { isOwnVariable } from "../../../src/config/own-variables.ts";
import type { ConsoleParts } from "../../../src/console/create-console.ts";
import type { ArchiveReviewView, InstallSkillRequest, SkillsView } from "../../../src/console/views/skills-views.ts";
import { createSkillDesk } from "../../../src/features/skills/desk/skill-desk.ts";
import { saveSkillChoice } from "../../../src/features/skills/queries/skills.ts";
import { loadInstalled } from "../../../src/features/skills/store/load-installed.ts";
import { openSkillStore } from "../../../src/features/skills/store/open-skill-store.ts";
import { HandClock } from "../hand-clock.ts";
import { makeZip } from "../make-zip.ts";
import { sentencesFile } from "../match-skills.ts";
import { plainSkill } from "../skill-source.ts";
import type { EngineName } from "../store-engines.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { createTestStore } from "../test-store.ts";
import { startConsoleServer } from "./console-server.ts";

/** The harmless skill as a zip archive, with further files. */
export function plainArchive(more: Readonly<Record<string, string>> = {}): Buffer {
  const files = { "skill.yaml": plainSkill, ...more };
  return makeZip(Object.entries(files).map(([name, content]) => ({ name, content: Buffer.from(content) })));
}

/** The console beside the skills of a data folder, which has none at first. */
export async function beginSkills(engine: EngineName, given: Partial<Pick<ConsoleParts, "page">> = {}) {
  const [home, store, clock] = [await createTemporaryFolder(), await createTestStore(engine), new HandClock()];
  const load = () => loadInstalled(join(home, "skills"), {}, [], isOwnVariable);
  const desk = createSkillDesk({
    skills: () => load().skills,
    listDisabled: () => load().disabled,
    sessions: { choose: (session, skill, choice) => saveSkillChoice(store.main, { session, skill, choice }) },
    surroundings: () => ({
      platform: "linux",
      variables: [],
      path: "",
      configuration: {},
      hasTool: () => false,
    }),
    openStore: () => openSkillStore({ home, table: sentencesFile, skills: () => load().skills, isOwnVariable }),
    database: () => store.main,
    clock,
  });
  const server = await startConsoleServer({ store, clock, skills: desk, ...given });
  const cookie = await server.addLogin("owner");
  const ask = (method: string, path: string, body?: unknown, type = "application/json") =>
    server.ask({ method, path: `/api${path}`, headers: { cookie, "content-type": type }, body });
  return {
    home,
    store,
    clock,
    server,
    cookie,
    ask,
    list: async () => JSON.parse((await ask("GET", "/skills")).text) as SkillsView,
    install: (request: InstallSkillRequest) => ask("POST", "/skills/install", request),
    async review(packed: Buffer, name = "weather.zip") {
      const { status, text } = await ask("POST", `/skills/archive?name=${name}`, packed, "application/octet-stream");
      return { status, text, view: JSON.parse(text) as ArchiveReviewView };
    },
  };
}

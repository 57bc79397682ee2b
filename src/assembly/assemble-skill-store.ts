import { mkdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Configuration } from "../config.ts";
import { isOwnVariable } from "../config/own-variables.ts";
import { systemClock } from "../core/clock.ts";
import { createExtensionCatalogue } from "../features/skills/extensions/extension-catalogue.ts";
import { loadSkill } from "../features/skills/loader/load-skills.ts";
import type { SessionSkills } from "../features/skills/session-skills.ts";
import { createSkillStore, skillsFolderOf, type SkillStore } from "../features/skills/store/skill-store.ts";
import type { WithProxy } from "../features/skills/tools/install-extension.ts";
import type { Skill } from "../features/skills/loader/types.ts";
import type { Database } from "../store/schema/database.ts";
import type { Tool } from "../kernel/tools/types.ts";
import type { GuardedFetch } from "../web/guarded-fetch.ts";
import type { Workspace } from "../workspace/types.ts";

/** Bytes that one git repository may bring. */
const maxBytes = 64 * 1024 * 1024;
/** Requests and tunnels of one installation. */
const maxRequests = 5_000;

/** Where installed skills lie; made, so that it can be watched. */
export function prepareSkillsFolder(home: string): string {
  const folder = skillsFolderOf(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

export function tellDisabled({ disabledSkills }: Configuration, log: Logger): void {
  for (const { id, problem } of disabledSkills) log.error({ skill: id, problem }, "an installed skill is off");
}

export function openSkillStore(home: string, skills: () => readonly Skill[], table: string): SkillStore {
  return createSkillStore({
    home,
    taken: () =>
      skills().flatMap(({ id, installed, origin }) => (installed === undefined && origin === "config" ? [id] : [])),
    load: (folder, environment) => loadSkill(dirname(folder), basename(folder), environment),
    table,
    isOwnVariable,
    clock: systemClock,
  });
}

/** Tools that use, find, install and write skills, each by its name. */
export function createExtensionTools(parts: {
  readonly configuration: Configuration;
  readonly skills: () => readonly Skill[];
  readonly request: SessionSkills["request"];
  readonly reload: () => void;
  readonly workspace: Workspace;
  readonly database: () => Kysely<Database>;
  readonly guardedFetch: GuardedFetch;
}): Readonly<Record<string, () => Promise<Pick<Tool<never>, "name" | "run">>>> {
  const { configuration, skills, request, reload, workspace, database, guardedFetch } = parts;
  const { configFolder, home } = configuration;
  const store = reloadAfterInstall(openSkillStore(home, skills, configuration.skillSentences), reload);
  const catalogue = createExtensionCatalogue({ ...configuration.tools.extensions, configFolder, guardedFetch });
  return {
    use_skill: async () =>
      (await import("../features/skills/tools/use-skill.ts")).createUseSkillTool({
        skills,
        request,
        store,
        workspace,
        database,
      }),
    write_skill: async () =>
      (await import("../features/skills/tools/write-skill.ts")).createWriteSkillTool({ store, database }),
    find_extension: async () =>
      (await import("../features/skills/tools/find-extension.ts")).createFindExtensionTool({ catalogue }),
    install_extension: async () =>
      (await import("../features/skills/tools/install-extension.ts")).createInstallExtensionTool({
        catalogue,
        store,
        configFolder,
        withProxy,
        isOwnVariable,
      }),
  };
}

/** The turn that installed a skill may use it: it does not wait until the change on the disk is noticed. */
function reloadAfterInstall(store: SkillStore, reload: () => void): SkillStore {
  return {
    ...store,
    install(...given) {
      const installed = store.install(...given);
      if (installed.ok) reload();
      return installed;
    },
  };
}

/** Addresses of a model or a catalogue are fetched if they are public. */
const withProxy: WithProxy = async (use) => {
  const { createPublicProxy, listenOnLoopback } = await import("../web/public-proxy.ts");
  const proxy = createPublicProxy({ limits: { bytes: maxBytes, requests: maxRequests } });
  try {
    return await use(`http://127.0.0.1:${await listenOnLoopback(proxy)}`);
  } finally {
    await proxy.close();
  }
};

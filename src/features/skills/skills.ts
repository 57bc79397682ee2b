import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { pickMenu } from "../../kernel/feature/pick-menu.ts";
import { skillsOptions } from "./options.ts";
import { skillWords } from "./words.ts";
import { mcp } from "../mcp/mcp.ts";
import { createChooseSkills, createCompleteSkills } from "./choose-skills.ts";
import { createSkillDesk } from "./desk/skill-desk.ts";
import { createExtensionCatalogue } from "./extensions/extension-catalogue.ts";
import { openSkills, type SkillsConfiguration } from "./open-skills.ts";
import { openSkillStore } from "./store/open-skill-store.ts";
import type { SkillStore } from "./store/skill-store.ts";
import { skillTables } from "./tables.ts";
import type { WithProxy } from "./tools/install-extension.ts";

/**
 * Skills: texts that come into a prompt when a message calls for them, with the hosts, files and MCP servers that they
 * bring.
 *
 *     sessions                               which are active in a session; each turn asks (kernel/agent/turn-skills.ts)
 *     /skills                                lists them and switches them on and off in a chat
 *     find_skill, find_tool, skill_file      find them, and tools of servers; read the files next to a skill's text
 *     use_skill, write_skill                 let an installed one in, or write one, when an owner approves it
 *     find_extension, install_extension      look for skills and servers in a registry, and install them
 *
 * It needs mcp: servers that a skill brings start when the skill is used. mcp asks `kernel.skills` whether it may.
 */
export const skills = defineFeature({
  name: "skills",
  needs: { mcp },
  tables: skillTables,
  files: { skills: skillsOptions },
  words: skillWords,
  make(kernel, _settings, { mcp: { bridge } }) {
    const { guardedFetch, isOwnVariable, registry, store, workspace } = kernel;
    const configuration = () => kernel.configuration() as SkillsConfiguration;
    const { match, sessions, surroundings } = openSkills(configuration, kernel, bridge.ensureServersStarted);
    const list = () => configuration().skills.list();
    const openStore = () =>
      reloadAfterChange(
        openSkillStore({
          home: configuration().home,
          table: configuration().skillSentences,
          skills: list,
          isOwnVariable,
        }),
        kernel.reload,
      );
    return {
      sessions,
      choose: createChooseSkills({ skills: sessions, listServers: bridge.views }),
      complete: createCompleteSkills(sessions),
      desk: createSkillDesk({
        skills: list,
        listDisabled: sessions.listDisabled,
        sessions,
        surroundings,
        openStore,
        database: () => store.main,
        clock: kernel.clock,
      }),
      findSkill: {
        match,
        skillRegistry: () => configuration().skills,
        skills: sessions,
        listTools: () => registry.list().filter(({ skill, source }) => source === "mcp" || skill !== undefined),
      },
      findTool: {
        listTools: () => registry.list().filter(({ skill, source }) => source === "mcp" && skill === undefined),
      },
      extensionParts: {
        workspace,
        isOwnVariable,
        withProxy,
        configFolder: () => configuration().configFolder,
        skills: list,
        request: sessions.request,
        database: () => store.main,
        openStore,
        openCatalogue: () =>
          createExtensionCatalogue({
            ...configuration().tools.extensions,
            configFolder: configuration().configFolder,
            guardedFetch,
          }),
      },
    };
  },
  commands: [
    {
      names: ["skills"],
      menu: pickMenu(skillWords, "skills"),
      who: "members",
      inGroups: true,
      answer: ({ choose }, call) => choose(call),
      complete: ({ complete }, session, words) => complete(session, words),
    },
  ],
  cli: [
    {
      name: "skills",
      alias: "skill",
      summary: {
        zh: "列出、匹配、安装、更新、删除和核对技能",
        en: "list, match, install, update, remove and verify skills",
        ja: "スキルの一覧、照合、導入、更新、削除、検証",
      },
      load: async () => (await import("./cli/skills-command.ts")).skillsCommand,
    },
  ],
  soleTools: {
    find_skill: async ({ findSkill }) => (await import("./find-skill-tool.ts")).createFindSkillTool(findSkill),
    find_tool: async ({ findTool }) => (await import("./find-tool-tool.ts")).createFindToolTool(findTool),
    skill_file: async ({ sessions }) =>
      (await import("./skill-file-tool.ts")).createSkillFileTool({ skills: sessions }),
    use_skill: async ({ extensionParts: parts }) =>
      (await import("./tools/use-skill.ts")).createUseSkillTool({ ...parts, store: parts.openStore() }),
    write_skill: async ({ extensionParts: parts }) =>
      (await import("./tools/write-skill.ts")).createWriteSkillTool({ ...parts, store: parts.openStore() }),
    find_extension: async ({ extensionParts: { openCatalogue } }) =>
      (await import("./tools/find-extension.ts")).createFindExtensionTool({ catalogue: openCatalogue() }),
    install_extension: async ({ extensionParts: parts }) =>
      (await import("./tools/install-extension.ts")).createInstallExtensionTool({
        ...parts,
        catalogue: parts.openCatalogue(),
        store: parts.openStore(),
        configFolder: parts.configFolder(),
      }),
  },
});

/** The turn that installed a skill may use it, and one that was removed is gone at once: nothing waits until the change on the disk is noticed. */
function reloadAfterChange(store: SkillStore, reload: () => void): SkillStore {
  return {
    ...store,
    install(...given) {
      const installed = store.install(...given);
      if (installed.ok) reload();
      return installed;
    },
    remove(id) {
      const removed = store.remove(id);
      if (removed.ok) reload();
      return removed;
    },
  };
}

/** Bytes that one git repository may bring. */
const maxBytes = 64 * 1024 * 1024;
/** Requests and tunnels of one installation. */
const maxRequests = 5_000;

/** Addresses of a model or a catalogue are fetched if they are public. */
const withProxy: WithProxy = async (use) => {
  const { createPublicProxy, listenOnLoopback } = await import("../../web/public-proxy.ts");
  const proxy = createPublicProxy({ limits: { bytes: maxBytes, requests: maxRequests } });
  try {
    return await use(`http://127.0.0.1:${await listenOnLoopback(proxy)}`);
  } finally {
    await proxy.close();
  }
};

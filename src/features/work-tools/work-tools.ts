import { dropUnset } from "../../core/drop-unset.ts";
import { httpAddressVariable, secretVariable } from "../../core/variable-schemas.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { workToolWords } from "./words.ts";
import { createFollowedCommands } from "./followed-commands.ts";
import { createSearchThreads } from "./search-thread.ts";

/**
 * The tools for work: files of the workspace, commands in the sandbox, pages of the web, and the file that is sent to the chat.
 *
 *     shell with `follow` -> the command goes on after its call (`followed`), until it ends or endWork ends it
 *     glob, grep          -> patterns run on threads of their own (`threads`), which can be stopped
 *     web_search          -> the search engines whose address or key the operator sets
 *
 * The kernel keeps where files lie and where commands run: `workspace`, `sandbox`, `browser`.
 */
export const workTools = defineFeature({
  name: "work-tools",
  environment: {
    SEARXNG_URL: httpAddressVariable
      .optional()
      .describe(
        "SearXNG for web search, such as http://127.0.0.1:8888; may be in a private network, and its settings.yml must allow JSON (`search.formats`).",
      ),
    TAVILY_API_KEY: secretVariable.optional().describe("Key of Tavily for web search, asked when SearXNG fails."),
    BRAVE_API_KEY: secretVariable.optional().describe("Key of Brave for web search, asked last."),
  },
  configure: ({ SEARXNG_URL, TAVILY_API_KEY, BRAVE_API_KEY }) =>
    dropUnset({ searxngUrl: SEARXNG_URL, tavilyApiKey: TAVILY_API_KEY, braveApiKey: BRAVE_API_KEY }),
  words: workToolWords,
  make(kernel, settings) {
    const { browser, contents, fileDelivery: delivery, guardedFetch, sandbox, workspace } = kernel;
    const followed = createFollowedCommands({ sandbox });
    return {
      browser,
      contents,
      delivery,
      guardedFetch,
      sandbox,
      workspace,
      followed,
      threads: createSearchThreads(),
      searchServers: settings,
      defaultTimeoutSeconds: () => kernel.commandSettings().timeoutMs / 1000,
      endWork(session?: string) {
        if (session !== undefined) return followed.endSession(session);
        followed.endAll("all-work");
        return true;
      },
      configurationChanged() {
        // The tool that looks at them is not offered any more.
        if (!kernel.commandSettings().enabled) followed.endAll("switched-off");
      },
      // The programs of the sandbox's image write files, so an approval counts for that image alone.
      runsIn: (session: string) => sandbox.findImage(session),
    };
  },
  toolsFollowSettings: true,
  tools: {
    shell: async ({ contents, defaultTimeoutSeconds, followed, sandbox, workspace }, { maxTimeout, followTimeout }) =>
      (await import("./shell.ts")).createShellTool({
        contents,
        followed,
        sandbox,
        workspace,
        defaultTimeoutSeconds: defaultTimeoutSeconds(),
        ...(followTimeout !== undefined && { followMs: followTimeout }),
        ...(maxTimeout !== undefined && { maximumTimeoutSeconds: maxTimeout / 1000 }),
      }),
    shell_output: async (parts) => (await import("./shell-output.ts")).createShellOutputTool(parts),
    file_read: async ({ contents, workspace }, options) =>
      (await import("./file-read.ts")).createFileReadTool({ ...options, contents, workspace }),
    file_write: async (parts) => (await import("./file-write.ts")).createFileWriteTool(parts),
    file_edit: async (parts) => (await import("./file-edit.ts")).createFileEditTool(parts),
    file_patch: async (parts) => (await import("./file-patch.ts")).createFilePatchTool(parts),
    file_delete: async (parts) => (await import("./file-delete.ts")).createFileDeleteTool(parts),
    glob: async (parts, options) => (await import("./glob.ts")).createGlobTool({ ...options, ...parts }),
    grep: async (parts, options) => (await import("./grep.ts")).createGrepTool({ ...options, ...parts }),
    fetch: async ({ guardedFetch }, options) =>
      (await import("./fetch.ts")).createFetchTool({ ...options, guardedFetch }),
    web_search: async ({ searchServers }, options) => {
      const { createWebSearchTool, listSearchEngines } = await import("./web-search.ts");
      return createWebSearchTool({ ...options, engines: listSearchEngines(searchServers(), options.engines) });
    },
    screenshot: async ({ browser }, options) =>
      (await import("./screenshot.ts")).createScreenshotTool({ ...options, browser }),
    browser: async ({ browser }) => (await import("./browser.ts")).createBrowserTool({ browser }),
    send_file: async ({ delivery, workspace }, options) =>
      (await import("./send-file.ts")).createSendFileTool({ ...options, delivery, workspace }),
  },
});

// The tests that cover the rows of docs/advisories.md: the id of the row, the file that it names, and the title.
export const advisoryTests: readonly (readonly [id: string, path: string, title: string])[] = [
  ["CVE-2026-25253", "tests/console/page.test.ts", "no address of the page opens a connection elsewhere"],
  [
    "GHSA-g55j-c2v4-pjcg, CVE-2026-25593",
    "tests/console/config-locked.test.ts",
    "no writable key names a program, a file, a host, a mount, or who may come in by HTTP",
  ],
  ["CVE-2026-28472", "tests/channels/onebot/reverse.test.ts", "refuses %s with %i"],
  ["CVE-2026-28472", "tests/channels/onebot/posts.test.ts", "the endpoint refuses events: %s"],
  [
    "GHSA-rqpp-rjj8-7wv8",
    "tests/kernel/http-routes.test.ts",
    "takes no address, scope or role from a query or a header",
  ],
  [
    "GHSA-hf68-49fm-59cq, GHSA-hc5h-pmr3-3497",
    "tests/kernel/roles.test.ts",
    "only owners use /trust, and it makes and unmakes no owner",
  ],
  [
    "GHSA-2j8v-hwgc-x698",
    "tests/kernel/tools/executor.test.ts",
    "a call does not run without approval, or with other arguments than those shown",
  ],
  [
    "CVE-2026-28463, GHSA-xvhf-x56f-2hpp, GHSA-796m-2973-wc5q, issue 128470",
    "tests/kernel/gate/always-asks.test.ts",
    "asks for %j, with the laxest rules there could be",
  ],
  ["issues 23276, goclaw 1204, 1212, 1216", "tests/kernel/gate/grant-scope.test.ts", "no scope exists for %s"],
  ["issue 78415", "tests/kernel/ways-to-a-tool.test.ts", "%s ends before the tool when no verdict can be written"],
  [
    "issue 57267",
    "tests/faults/docker-gone.test.ts",
    "no engine at the start: shell is not offered, cannot be talked into being, and doctor says why",
  ],
  [
    "GHSA-474h-prjg-mmw3",
    "tests/kernel/gate/authorisation-matrix.test.ts",
    "gives a sub-agent no more than the person and its own list both have",
  ],
  ["CVE-2026-27002", "tests/sandbox/container-spec.test.ts", "keeps every wall, whatever is asked for"],
  [
    "CVE-2026-28457",
    "tests/features/skills/store/check-paths.test.ts",
    "nothing it takes leaves the folder it is put into",
  ],
  [
    "ClawHavoc",
    "tests/stories/skill-store.test.ts",
    "a skill from a folder brings scripts that run in the sandbox and nowhere else",
  ],
  [
    "exposed gateways (SecurityScorecard, Censys)",
    "tests/stories/start-refuses.test.ts",
    "a faulty configuration ends with 78 and lists every fault with its place, before anything is touched",
  ],
  [
    "issue 75131",
    "tests/channels/telegram/delivery.test.ts",
    "refused when the bot is blocked, the chat unknown, the text empty",
  ],
  [
    "issue 75101",
    "tests/stories/secrets.test.ts",
    "a known secret that a server or a file repeats reaches no model, chat, log and table",
  ],
  [
    "issue 53409",
    "tests/kernel/where-it-is-asked.test.ts",
    "a question is shown once, in the chat it comes from, and in no other open chat",
  ],
  ["AstrBot 8117", "tests/console/sign-in.test.ts", "no password opens anything where none is set"],
  [
    "AstrBot 7169",
    "tests/features/skills/self-extension.test.ts",
    "only owners can install a server, whatever the rules say",
  ],
  ["AstrBot 8627", "tests/channels/onebot/posts.test.ts", "the endpoint refuses events: %s"],
  [
    "AstrBot 8781",
    "tests/kernel/tools/registry.test.ts",
    "a tool of the registry has no way to be run, wherever one looks",
  ],
  ["AstrBot 8501", "tests/kernel/roles.test.ts", "gives a %s in a group what the table says, and shows no more"],
  ["AstrBot 7171, 8861, 10122", "tests/web/check-url.test.ts", "agrees with the collected addresses"],
  ["AstrBot 7820", "tests/sandbox/container-spec.test.ts", "passes a short list of variables and no other"],
  [
    "LangBot PR 2087",
    "tests/workspace/parse-workspace-path-anything.test.ts",
    "lets nothing through that another resolver would put outside",
  ],
  [
    "LangBot PR 2178",
    "tests/kernel/http-routes.test.ts",
    "the bare server has two routes, both read-only, and no path for debugging, login or configuration",
  ],
  [
    "Koishi forum 1930",
    "tests/features/skills/store/skill-store.test.ts",
    "never runs: no file of it is imported, read as a module or started",
  ],
  [
    "NapCat 82",
    "tests/channels/onebot/reverse.test.ts",
    "the reverse side does not exist without a token of ours (%j)",
  ],
  ["NapCat 82", "tests/channels/onebot/reverse.test.ts", "takes the token from the query as well, and never shows it"],
  [
    "CVE-2025-6514",
    "tests/stories/mcp.test.ts",
    "an address that a server wants opened is shown with every character, and no program opens it",
  ],
  [
    "CVE-2025-49596, CVE-2025-66414",
    "tests/features/mcp/served/guard-requests.test.ts",
    "$host $origin may not, whatever the token",
  ],
  [
    "CVE-2026-0621",
    "tests/features/mcp/evil-servers.test.ts",
    "an expression of the server's is not run on what the model writes",
  ],
  ["CVE-2026-25536", "tests/features/mcp/evil-servers.test.ts", "two sessions at once: no answer crosses"],
  [
    "OX, April 2026",
    "tests/features/mcp/evil-servers.test.ts",
    "a process gets what programs need and what is written for it, nothing else of ours",
  ],
  [
    "tool poisoning, rug pull",
    "tests/features/mcp/pins.test.ts",
    "one changed byte of a description blocks the tool, also in the running server, and the owner is told once",
  ],
  [
    "tool poisoning by description alone",
    "tests/kernel/foreign-words.test.ts",
    "asks before an address that only a server's description could have named, and offers no grant",
  ],
  [
    "a freed server name is taken over",
    "tests/features/mcp/servers-of-a-skill.test.ts",
    "a name that became free takes neither pins nor rules nor time limits along to an installed skill",
  ],
  [
    "shadowing",
    "tests/features/mcp/evil-servers.test.ts",
    "its names cannot be a built-in's, another server's, or twice the same",
  ],
  [
    "annotations",
    "tests/features/mcp/evil-servers.test.ts",
    "its words about itself lower nothing: it asks, may change things, and its words are untrusted",
  ],
  [
    "CVE-2025-68664, CVE-2025-68665",
    "tests/kernel/agent/revived-objects.test.ts",
    "comes back from a checkpoint as it was",
  ],
  [
    "CVE-2025-64439, CVE-2025-8709, CVE-2025-64104, CVE-2025-67644",
    "tests/kernel/agent/checkpoint-saver.test.ts",
    "takes plain names only, not %j",
  ],
  [
    "langgraphjs PR 576, 582, 2504",
    "tests/kernel/agent/checkpoint-saver.test.ts",
    "leaves other threads and namespaces alone",
  ],
  [
    "langgraphjs 2351, PR 2350",
    "tests/kernel/agent/revived-objects.test.ts",
    "a thread is asked for by a plain name and nothing else",
  ],
  ["langgraph 6208, langgraphjs 1298, 1552", "tests/stories/kill-matrix.test.ts", "kill -9 at any durable write"],
];

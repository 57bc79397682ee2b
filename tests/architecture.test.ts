import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  commandLineTakesTypesOnly,
  connectsOnlyIn,
  file,
  filesAreSmall,
  kernelFoldersGoRight,
  importedOnlyIn,
  importsGoRight,
  inFile,
  listImports,
  loadedLater,
  noBarrels,
  noMocks,
  nowhere,
  onlyIn,
  readSources,
  rooms,
  type RuleCase,
} from "./support/source-rules.ts";
import { connectingFiles } from "./support/connecting-files.ts";

const files = readSources(join(import.meta.dirname, ".."), ["src", "tests", "bench", "scripts", "examples"]);
const cases: readonly RuleCase[] = [
  {
    promise: "a room imports only what stands to its right, types included",
    rule: importsGoRight,
    bad: [
      file("src/core/log.ts", 'import { openStore } from "../store/open-store.ts";'),
      file("src/channels/a.ts", 'import type { Agent } from "../kernel/agent/agent.ts";'),
      file("src/models/a.ts", 'import {\n  x,\n} from "../workspace/paths.ts";'),
      file("src/store/queries/a.ts", 'export type { X } from "../../models/types.ts";'),
      file("src/kernel/a.ts", 'const later = import("../cli/start.ts");'),
      file("src/cli/a.ts", 'import "../console/server.ts";'),
      file("src/features/mcp/c.ts", 'import type { Configuration } from "../../config.ts";'),
      file("src/features/mcp/d.ts", 'import { x } from "../../cli/start.ts";'),
      file("src/kernel/agent/a.ts", 'import { x } from "../../main.ts";'),
      file("src/cli/b.ts", 'import { assemble } from "../assembly/assemble.ts";'),
      file("src/kernel/b.ts", 'import { x } from "../helpers/x.ts";'),
      file("src/helpers/x.ts", 'import { x } from "../core/ids.ts";'),
    ],
    good: [
      file("src/kernel/ok.ts", 'import { x } from "../store/schema.ts";\nimport { y } from "./inbox/y.ts";'),
      file("src/features/mcp/ok.ts", 'import { x } from "../../kernel/tools/x.ts";'),
      file("src/cli/ok.ts", 'import type { Configuration } from "../config.ts";'),
      file("src/config/ok.ts", 'import { x } from "../kernel/options.ts";'),
      file("src/main.ts", 'import { x } from "./cli/start.ts";'),
    ],
  },
  {
    promise: "an inner folder of the kernel imports only what stands to its right, types included",
    rule: kernelFoldersGoRight,
    bad: [
      file("src/kernel/questions/a.ts", 'import type { RunTurn } from "../turns/run-turn.ts";'),
      file("src/kernel/outbox/a.ts", 'import type { Gateway } from "../gateway.ts";'),
      file("src/kernel/lanes/a.ts", 'const later = import("../inbox/dispatch.ts");'),
      file("src/kernel/odds/a.ts", 'import { x } from "../../core/ids.ts";'),
    ],
    good: [
      file("src/kernel/gateway.ts", 'import { x } from "./feature/call-hooks.ts";\nimport { y } from "./inbox/y.ts";'),
      file("src/kernel/turns/a.ts", 'import { x } from "./b.ts";\nimport { y } from "../questions/y.ts";'),
      file("src/kernel/http/a.ts", 'import { x } from "../../core/ids.ts";'),
    ],
  },
  {
    promise: "the command line sees the configuration's types only",
    rule: commandLineTakesTypesOnly,
    bad: [
      file("src/cli/a.ts", 'import { loadConfiguration } from "../config.ts";'),
      file("src/cli/b.ts", 'import { x } from "../config/environment.ts";'),
    ],
    good: [file("src/cli/c.ts", 'import type { Configuration } from "../config.ts";')],
  },
  {
    promise: "no file is longer than 400 lines",
    rule: filesAreSmall,
    bad: [file("tests/long.test.ts", "x\n".repeat(401))],
    good: [file("src/core/long.ts", "x\n".repeat(400))],
  },
  {
    promise: "there are no barrels",
    rule: noBarrels,
    bad: [
      file("src/kernel/tools/index.ts", "export const x = 1;"),
      file("src/kernel/tools/all.ts", 'export * from "./registry.ts";'),
      file("src/kernel/tools/some.ts", 'export { x,\n y } from "./registry.ts";'),
    ],
    good: [file("src/kernel/tools/one.ts", 'import { x } from "./registry.ts";\nexport { x };')],
  },
  {
    promise: "only config.ts reads the environment",
    rule: onlyIn(
      "reads the environment",
      /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\[["']env|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/,
      inFile("src/config.ts"),
    ),
    bad: [
      file("src/main.ts", "const x = process.env;"),
      file("src/core/a.ts", 'const home = process.env["HOME"];'),
      file("src/core/b.ts", "const { env } = process;"),
    ],
    good: [
      file("src/config.ts", "const x = process.env;"),
      file("src/core/c.ts", "// process.env is read elsewhere\nprocess.pid;"),
    ],
  },
  {
    promise: "only config.ts reads the environment, not by importing it either",
    rule: importedOnlyIn("imports node:process", /^(?:node:)?process$/, nowhere),
    bad: [file("src/core/a.ts", 'import { env } from "node:process";')],
  },
  {
    promise: "nothing starts a process but servers of mcp.json, git, tools of config/tools and the set-up's builder",
    rule: importedOnlyIn("can start processes", /^(?:node:)?(?:child_process|cluster)$/, (path) =>
      /^src\/(?:features\/(?:mcp\/connection\/start-process|skills\/store\/run-git|own-tools\/\w+-own-tools?)|cli\/setup\/build-image)\.ts$/.test(
        path,
      ),
    ),
    bad: [
      file("src/kernel/tools/a.ts", 'import { exec } from "node:child_process";'),
      file("src/cli/a.ts", 'await import("child_process");'),
    ],
    good: [file("src/kernel/tools/c.ts", 'import { createServer } from "node:net";')],
  },
  {
    promise: "LangGraph is imported by the agent only",
    rule: importedOnlyIn("imports LangGraph", /^@langchain\/langgraph/, (path) => path.startsWith("src/kernel/agent/")),
    bad: [
      file("src/kernel/a.ts", 'import { Command } from "@langchain/langgraph";'),
      file("src/store/a.ts", 'import type { Checkpoint } from "@langchain/langgraph-checkpoint";'),
    ],
    good: [file("src/kernel/agent/a.ts", 'import { Command } from "@langchain/langgraph";')],
  },
  {
    promise: "the MCP SDK is imported in one folder only, and loaded when there is a server",
    rule: (all) => [
      ...importedOnlyIn("imports the MCP SDK", /^@modelcontextprotocol\//, (path) =>
        path.startsWith("src/features/mcp/"),
      )(all),
      ...loadedLater(
        /^@modelcontextprotocol\/|\/connection\/open-|\/open-authorization\.ts$/,
        (path) =>
          path.startsWith("src/features/mcp/connection/open-") ||
          path.startsWith("src/features/mcp/serving/") ||
          ["connection/answer-requests", "login/open-authorization"].some((name) => path.endsWith(`/mcp/${name}.ts`)),
      )(all),
    ],
    bad: [
      file("src/kernel/a.ts", 'import type { Client } from "@modelcontextprotocol/sdk/client/index.js";'),
      file("src/features/mcp/mcp-bridge.ts", 'import { Client } from "@modelcontextprotocol/sdk/client/index.js";'),
      file("src/features/mcp/a.ts", 'import { openHttp } from "./connection/open-http.ts";'),
    ],
    good: [file("src/features/mcp/connection/open-http.ts", 'import { x } from "@modelcontextprotocol/sdk/types.js";')],
  },
  {
    promise: "nothing fetches by itself",
    rule: onlyIn(
      "calls fetch",
      /(?<![\w.])fetch\s*\(|\bglobalThis\s*\.\s*fetch\b/,
      // It runs in a browser and asks the server that it came from.
      inFile("src/console/page/call-server.ts"),
    ),
    bad: [file("src/models/a.ts", "await fetch(url);"), file("src/models/b.ts", "const get = globalThis.fetch;")],
    good: [file("src/kernel/http/http-server.ts", "getRequestListener(app.fetch, {});")],
  },
  {
    promise: "connections are opened in known places only, and to addresses of strangers by the guard alone",
    rule: connectsOnlyIn(inFile(...connectingFiles)),
    bad: [
      file("src/kernel/tools/builtin/a.ts", 'import { request } from "undici";'),
      file("src/kernel/tools/builtin/b.ts", 'import { get } from "node:https";'),
      file("src/kernel/tools/builtin/c.ts", 'import { isIP, connect as dial } from "net";'),
      file("src/kernel/tools/builtin/d.ts", 'import https from "node:https";'),
      file("src/kernel/e.ts", 'import * as http from "node:http";'),
      file("src/kernel/agent/f.ts", 'const { fetch: get } = await import("undici");'),
      file("src/kernel/agent/g.ts", 'const http = process.getBuiltinModule("node:http");'),
      file("src/features/memory/h.ts", 'import {\n  chromium,\n} from "playwright-core";'),
    ],
    good: [
      file("src/kernel/ok.ts", 'import { createServer, type IncomingMessage } from "node:http";'),
      file("src/kernel/tools/ok.ts", 'import type Docker from "dockerode";\nimport { isIPv4 } from "node:net";'),
    ],
  },
  {
    promise: "the web console is loaded by its first request or code, and only the assembly loads it",
    rule: loadedLater(/\/console\/(?!console-options|views\/)(?:[\w-]+\/)*[\w-]+\.ts$/, nowhere),
    bad: [
      file("src/assembly/a.ts", 'import { createConsole } from "../console/create-console.ts";'),
      file("src/cli/b.ts", 'import { createDoor } from "../console/door/door.ts";'),
    ],
    good: [
      file("src/assembly/c.ts", 'const { createConsole } = await import("../console/create-console.ts");'),
      file("src/config/d.ts", 'import { consoleOptions } from "../console/console-options.ts";'),
    ],
  },
  {
    promise:
      "what opens pages, and what writes metrics and traces, is loaded when it is needed, not when Kurisu starts",
    rule: loadedLater(
      /^(?:undici|playwright-core|turndown|@mixmark-io\/domino|@joplin\/turndown-plugin-gfm|prom-client)$|^@opentelemetry\/|\/(?:convert-html|open-tracer)\.ts$/,
      (path) =>
        /^src\/(?:features\/work-tools\/fetch\/(?:convert-html|html-worker)|kernel\/tracing\/[\w-]+)\.ts$/.test(path),
    ),
    bad: [
      file("src/kernel/tools/a.ts", 'import { chromium } from "playwright-core";'),
      file("src/kernel/tools/b.ts", 'import { convertHtml } from "./fetch/convert-html.ts";'),
      file("src/main.ts", 'import "undici";'),
      file("src/kernel/http/a.ts", 'import { Registry } from "prom-client";'),
      file("src/kernel/b.ts", 'import { trace } from "@opentelemetry/api";'),
    ],
    good: [
      file(
        "src/kernel/tools/c.ts",
        'import type { Page } from "playwright-core";\nconst { fetch } = await import("undici");',
      ),
    ],
  },
  {
    promise: "the executor is the only way to a tool, and a turn that was judged the only way to the executor",
    rule: (all) => [
      ...onlyIn(
        "calls run( of something; a tool is run by kernel/tools/run-tool.ts alone",
        /\.\s*run\s*\(/,
        // Commands, SQL statements, containers and asynchronous contexts have a `run` of their own.
        inFile(
          "src/kernel/agent/leave-out-run-trees.ts",
          "src/kernel/recovery/work-record.ts",
          "src/kernel/tools/run-tool.ts",
          "src/cli/run-command.ts",
          "src/store/engines/sqlite.ts",
          "src/features/work-tools/shell.ts",
          "src/sandbox/run-in-session.ts",
          "src/sandbox/open-sandbox.ts",
          "src/features/skills/store/check-needs.ts",
          "src/workspace/container/container-files.ts",
        ),
      )(all),
      ...onlyIn(
        "calls runTool; only the executor runs tools, and the previewer those that act on a copy",
        /\brunTool\s*\(/,
        inFile("src/kernel/tools/run-tool.ts", "src/kernel/tools/executor.ts", "src/features/preview/previewer.ts"),
      )(all),
      ...onlyIn(
        "runs a tool that is not made for a copy",
        /\brunTool\s*\((?!\s*tool\.onCopy\(copy\),)/,
        (path) => path !== "src/features/preview/previewer.ts",
      )(all),
      ...importedOnlyIn(
        "opens sealed tools; only kernel/tools/run-tool.ts does",
        /\/sealed-tool\.ts$/,
        inFile("src/kernel/tools/registry.ts", "src/kernel/tools/run-tool.ts", "src/kernel/tools/executor.ts"),
      )(all),
      ...onlyIn(
        "takes the seal off a tool",
        /\bopenSealedTool\b/,
        inFile("src/kernel/tools/sealed-tool.ts", "src/kernel/tools/run-tool.ts"),
      )(all),
      ...onlyIn(
        "writes verdicts; the judge does",
        /\b(?:saveDecisions|createRecordDecisions)\s*\(/,
        inFile(
          "src/store/queries/decisions.ts",
          "src/kernel/gate/record-decisions.ts",
          "src/kernel/agent/create-thinking.ts",
          "src/features/mcp/served/served-tools.ts",
        ),
      )(all),
      ...onlyIn(
        "writes verdicts; the judge does",
        /\bparts\s*\.\s*record\s*\(/,
        inFile("src/kernel/agent/nodes/judge.ts"),
      )(all),
      ...onlyIn(
        "calls the executor",
        /\bexecutor\s*\.\s*execute\s*\(/,
        // A call of an MCP client is a turn of its own: judged there as well.
        inFile("src/kernel/agent/run-calls.ts", "src/features/mcp/served/served-tools.ts"),
      )(all),
      ...onlyIn(
        "runs calls of a turn; tool_call does, and the agent once a question is answered",
        /\brunCalls\s*\.\s*batch\s*\(/,
        inFile("src/kernel/agent/nodes/tool-call.ts", "src/kernel/agent/agent.ts"),
      )(all),
    ],
    bad: [
      file("src/kernel/agent/nodes/judge.ts", "await tool.run(input, context);"),
      file("src/cli/tools.ts", "registry.find(name)?.run({}, context);"),
      file("src/kernel/inbox/dispatch.ts", "await parts.executor.execute(call);"),
      file("src/kernel/agent/nodes/tool-call.ts", "await executor.execute(call);"),
      file("src/kernel/agent/nodes/judge.ts", "await parts.runCalls.batch(state, calls, run);"),
      file("src/kernel/tools/executor.ts", "await tool.run(input, context);"),
      file("src/kernel/tools/executor.ts", "const { run } = openSealedTool(tool);"),
      file("src/kernel/a.ts", 'import { openSealedTool as take } from "../tools/sealed-tool.ts";'),
      file("src/kernel/b.ts", "await saveDecisions(tx, turn, [decision], now);"),
      file("src/kernel/agent/nodes/generate.ts", "await parts.record(hold, decisions);"),
      file("src/kernel/inbox/dispatch.ts", "await runTool(tool, input, context, log);"),
      file("src/features/preview/previewer.ts", "await runTool(tool, input, context, log);"),
    ],
    good: [
      file("src/kernel/tools/run-tool.ts", "await tool.run(input, context);"),
      file("src/features/preview/previewer.ts", "await runTool(tool.onCopy(copy), input, context, log);"),
    ],
  },
  {
    promise:
      "an approval is used up by the executor only, and a question is closed by kernel/gate/approval-manager.ts only",
    rule: (all) => [
      ...onlyIn(
        "consumes an approval",
        /\bconsumeApprovedCall\s*\(|\.consume\s*\(/,
        inFile(
          "src/kernel/gate/approval-manager.ts",
          "src/kernel/tools/executor.ts",
          "src/store/queries/question-states.ts",
        ),
      )(all),
      ...onlyIn(
        "changes the state of a question",
        /\b(?:closeQuestion|setCallStates)\s*\(/,
        inFile("src/kernel/gate/approval-manager.ts", "src/store/queries/question-states.ts"),
      )(all),
    ],
    bad: [
      file("src/kernel/agent/nodes/approve.ts", "await approvals.consume(db, turn, call, hash);"),
      file("src/kernel/inbox/dispatch.ts", "await closeQuestion(tx, closing);"),
    ],
  },
  {
    promise: "no expression that comes from a file or from others runs on the engine that backtracks",
    rule: onlyIn(
      "makes an expression as it runs; core/linear-pattern.ts is for those of files, rules/match-pattern.ts for `*`",
      /\bRegExp\s*\(/,
      (path) =>
        // Constants of the program put together.
        /^src\/(?:language\/facts\/forms|features\/chatlog\/ranking)\/|\/store\/(?:bad-pa|read-needs|scan-com)/.test(
          path,
        ) ||
        /^src\/(?:models\/offline\/|core\/persona\/(?:find-)?disclosure|language\/time\/(?:find|read)-)/.test(path) ||
        /^src\/(?:kernel\/agent\/(?:model-text|context\/list-names)|features\/mcp\/pins\/find-order)\.ts$/.test(path) ||
        inFile(
          "src/core/log.ts",
          "src/core/persona/block-starts.ts",
          "src/core/persona/plain-text.ts",
          // Texts whose every letter is escaped.
          "src/core/scrub-secrets.ts",
          "src/features/mcp/elicitations/read-fields.ts",
          // Matched on a thread that is stopped when it takes too long.
          "src/features/work-tools/search-work.ts",
        )(path),
    ),
    bad: [
      file("src/core/persona/persona.ts", 'new RegExp(source, "iu");'),
      file("src/kernel/tools/a.ts", "const fits = RegExp(schema.pattern).test(text);"),
    ],
    good: [file("src/core/a.ts", "(pattern: RegExp) => /a/.test(text);"), file("src/core/log.ts", "new RegExp(name);")],
  },
  {
    promise: "no test replaces a module",
    rule: noMocks,
    bad: [
      file("tests/a.test.ts", 'vi.mock("../src/core/ids.ts");'),
      file("tests/b.test.ts", 'vi.stubGlobal("fetch", fake);'),
    ],
    good: [file("tests/c.test.ts", "vi.waitFor(() => ready);\n// vi.mock( is not used")],
  },
];
/** This file holds the bad examples as text. */
const real = files.filter(({ path }) => path !== "tests/architecture.test.ts");

describe("the house", () => {
  it.each(cases)("$promise", ({ rule }) => {
    expect(rule(real)).toEqual([]);
  });

  it.each(cases)("would notice otherwise: $promise", ({ rule, bad, good = [] }) => {
    for (const one of bad) expect(rule([one]), `${one.path}: ${one.text}`).not.toEqual([]);
    expect(rule(good)).toEqual([]);
  });

  it("the check reads every room of src/, and main.ts imports the assembly", () => {
    const present = new Set(
      real
        .filter(({ path }) => path.split("/").length > 2 && path.startsWith("src/"))
        .map(({ path }) => path.split("/")[1]),
    );
    const known = ["config", "assembly", ...rooms.flat()];
    expect([...present].filter((room) => !known.includes(room ?? ""))).toEqual([]);
    expect(real.length).toBeGreaterThan(200);
    const main = real.find(({ path }) => path === "src/main.ts");
    expect(listImports(main?.text ?? "")).toContain("./assembly/assemble.ts");
  });

  it("this file keeps its own limit of length", () => {
    expect(filesAreSmall(files)).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { findHalfInstalled, findTellingLine } from "../../../src/features/mcp/connection/find-telling-line.ts";
import { workTime } from "../../support/work-time.ts";

const npx = "/home/o/.npm/_npx/3dfbf5a9eea4a1b3";

const nodeModule = `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '${npx}/node_modules/files-server/dist/index.js'
    at Function._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at Function._load (node:internal/modules/cjs/loader:1055:27) {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.15.0
`;

const notEmpty = `npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported
npm error code ENOTEMPTY
npm error syscall rename
npm error path ${npx}/node_modules/zod
npm error dest ${npx}/node_modules/.zod-Ab12Cd34
npm error errno -39
npm error ENOTEMPTY: directory not empty, rename '${npx}/node_modules/zod' -> '${npx}/node_modules/.zod-Ab12Cd34'
npm error A complete log of this run can be found in: /home/o/.npm/_logs/2026-01-01T00_00_00_000Z-debug-0.log
`;

const importMissing = `node:internal/modules/esm/resolve:873
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from ${npx}/node_modules/files-server/index.js
    at packageResolve (node:internal/modules/esm/resolve:873:9) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v24.15.0`;

const python = `INFO:files:starting
Traceback (most recent call last):
  File "/home/o/.cache/uv/archive-v0/x/bin/files", line 10, in <module>
    sys.exit(main())
             ^^^^^^
  File "/home/o/.cache/uv/archive-v0/x/lib/python3.12/site-packages/files/__init__.py", line 8, in main
    key = os.environ["FILES_KEY"]
          ~~~~~~~~~~^^^^^^^^^^^^^
KeyError: 'FILES_KEY'
`;

const chained = `Traceback (most recent call last):
  File "a.py", line 3, in connect
ConnectionRefusedError: [Errno 111] Connection refused

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "a.py", line 9, in <module>
psycopg.OperationalError: connection to server at "127.0.0.1" failed
`;

const group = `  + Exception Group Traceback (most recent call last):
  |   File "/usr/lib/python3/anyio/_core.py", line 70, in run
  |     return async_backend.run(func, args)
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/usr/lib/python3/httpx/_client.py", line 1, in send
    | httpx.ConnectError: All connection attempts failed
    +------------------------------------
`;

describe("the telling line of a program's last words is", () => {
  test.each([
    [
      "the error of Node, not its version",
      nodeModule,
      `Error: Cannot find module '${npx}/node_modules/files-server/dist/index.js'`,
    ],
    [
      "the error of an import, not its stack",
      importMissing,
      `Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from ${npx}/node_modules/files-server/index.js`,
    ],
    [
      "the sentence of npm, not its code or its log file",
      notEmpty,
      `npm error ENOTEMPTY: directory not empty, rename '${npx}/node_modules/zod' -> '${npx}/node_modules/.zod-Ab12Cd34'`,
    ],
    [
      "npm's refusal of a package that is not there",
      `npm error code E404
npm error 404 Not Found - GET https://registry.example/no-such-server - Not found
npm error 404
npm error 404  The requested resource 'no-such-server@*' could not be found or you do not have permission to access it.
npm error A complete log of this run can be found in: /home/o/.npm/_logs/x.log`,
      "npm error 404 Not Found - GET https://registry.example/no-such-server - Not found",
    ],
    [
      "npm's trouble with the network",
      `npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error errno ENOTFOUND
npm error request to https://registry.example/a failed, reason: getaddrinfo ENOTFOUND registry.example
npm error network This is a problem related to network connectivity.`,
      "npm error request to https://registry.example/a failed, reason: getaddrinfo ENOTFOUND registry.example",
    ],
    [
      "an error of an older npm",
      "npm ERR! code E401\nnpm ERR! Unable to authenticate",
      "npm ERR! Unable to authenticate",
    ],
    ["the last line of Python's traceback", python, "KeyError: 'FILES_KEY'"],
    [
      "the error that ended Python, not its cause",
      chained,
      'psycopg.OperationalError: connection to server at "127.0.0.1" failed',
    ],
    ["the inner error of a group of Python's", group, "httpx.ConnectError: All connection attempts failed"],
    [
      "what an argument parser misses, not the usage",
      "usage: files [-h] --key KEY\nfiles: error: the following arguments are required: --key\n",
      "files: error: the following arguments are required: --key",
    ],
    [
      "uv's reason",
      `  × No solution found when resolving tool dependencies:
  ╰─▶ Because no-such-server was not found in the package registry, we conclude that it cannot be used.`,
      "× No solution found when resolving tool dependencies: ╰─▶ Because no-such-server was not found in the package registry, we conclude that it cannot be used.",
    ],
    ["a shell that finds no program", "sh: 1: files-server: not found\n", "sh: 1: files-server: not found"],
    [
      "a loader that finds no interpreter",
      "/usr/bin/env: ‘node’: No such file or directory",
      "/usr/bin/env: ‘node’: No such file or directory",
    ],
    [
      "a panic of Go, not its goroutines",
      "panic: missing GITHUB_TOKEN\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:12 +0x1d\nexit status 2",
      "panic: missing GITHUB_TOKEN",
    ],
    [
      "the daemon's refusal, not docker's hint",
      "docker: Error response from daemon: pull access denied for files.\n\nRun 'docker run --help' for more information",
      "docker: Error response from daemon: pull access denied for files.",
    ],
    [
      "a sentence that says what is missing, not the farewell",
      "Files server 1.2\nFILES_KEY is required\nSee the README\nBye.",
      "FILES_KEY is required",
    ],
    [
      "an error in colours, without them",
      "\u001B[31mError: no key\u001B[39m\n    at main (a.js:1:1)\n\nNode.js v24.15.0",
      "Error: no key",
    ],
    ["the last words of one that names no error", "listening\ngoing down\n\n", "going down"],
    ["the version when there is nothing else", "Node.js v24.15.0", "Node.js v24.15.0"],
    ["nothing when nothing was said", "\n \n", ""],
  ])("%s", (_, said, telling) => {
    expect(findTellingLine(said)).toBe(telling);
  });
});

test.each([
  ["npm cannot move a package in it", notEmpty, npx],
  ["the program itself is not there", nodeModule, npx],
  ["a package of the program is not there", importMissing, npx],
  ["a module is missing elsewhere", "Error: Cannot find module '/opt/files/index.js'", undefined],
  ["the program ran there and failed", `Error: no key\n    at ${npx}/node_modules/files/index.js:1:1`, undefined],
])("a folder of npx is half-installed where %s", (_, said, folder) => {
  expect(findHalfInstalled(said)).toBe(folder);
});

test("a long text is read in little time", () => {
  const begun = workTime();
  for (const unit of ["/a", "a.", "- |", "npm error ", "/_npx/", "Traceback (most recent call last):\n", "x: "]) {
    findTellingLine(unit.repeat(20_000));
    findHalfInstalled(`ENOTEMPTY ${unit.repeat(20_000)}`);
  }
  expect(workTime() - begun).toBeLessThan(20_000);
});

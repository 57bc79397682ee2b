import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { formatFault, readYamlText } from "../../../src/core/yaml-file.ts";
import { describeTransport } from "../../../src/features/mcp/servers/describe-transport.ts";
import { listMcpServers, mcpFileSchema, removeFromMcpFile } from "../../../src/features/mcp/servers/mcp-file.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const read = (text: string, environment: Record<string, string> = {}) =>
  readYamlText(text, "mcp.json", mcpFileSchema, environment);

it("takes the form that others write, and fills variables", () => {
  const text = `{
\t"mcpServers": {
\t\t"issues": { "type": "streamable-http", "url": "https://x.example/mcp", "headers": { "Authorization": "Bearer \${TOKEN}" } },
\t\t"files": { "command": "npx", "args": ["-y", "server", "\${ROOT:-/srv}"], "env": { "A": "1" } },
\t\t"walled": { "command": "x", "env": { "A": "1" }, "sandbox": true },
\t\t"off": { "command": "x", "disabled": true }
\t}
}`;
  const result = read(text, { TOKEN: "t0ken" });
  if (result.kind !== "read") throw new Error(result.faults.map(formatFault).join("\n"));
  const servers = listMcpServers(result.value);
  expect(servers.map(({ name, transport }) => [name, transport])).toEqual([
    [
      "issues",
      {
        kind: "http",
        url: "https://x.example/mcp",
        headers: { Authorization: "Bearer t0ken" },
        mode: "http",
        oauth: { origins: [] },
      },
    ],
    ["files", { kind: "stdio", command: "npx", args: ["-y", "server", "/srv"], env: { A: "1" } }],
    ["walled", { kind: "stdio", command: "x", args: [], env: { A: "1" }, sandbox: {} }],
  ]);
  expect(servers[0]).toMatchObject({ timeoutMs: 20_000, scope: "shared", readOnly: [], elicitation: true });
});

it.each([
  ['{"mcpServers":{"a__b":{"command":"x"}}}', /^mcp\.json:1:16 .*a__b: must be 1 to 32 letters/],
  ['{"mcpServers":{"a_":{"command":"x"}}}', /single _/],
  ['{"mcpServers":{"a":{}}}', /^mcp\.json:1:\d+ mcpServers\.a: needs a command or a url/],
  ['{"mcpServers":{"a":{"command":"x","url":"https://x"}}}', /keep one/],
  ['{"mcpServers":{"a":{"url":"file:///etc/passwd"}}}', /must be an http\(s\) address/],
  [
    '{"mcpServers":{"a":{"url":"https://t0ken@x.example/"}}}',
    /url: must not hold a name or password; send them by headers$/,
  ],
  ['{"mcpServers":{"a":{"url":"https://x","sandbox":true}}}', /sandbox: is for servers with a command/],
  ['{"mcpServers":{"a":{"command":"x","autoApprove":["*"]}}}', /autoApprove: is not a known key/],
  ['{"mcpServers":{"a":{"command":"x","args":["${UNSET_ONE}"]}}}', /UNSET_ONE is not set/],
  ['{"mcpServers":{"a":{"command":"x","timeout":"2ms"}}}', /timeout: must be 1s to 1h/],
  [
    String.raw`{"mcpServers":{"a":{"command":"C:\Program Files\nodejs\npx.cmd"}}}`,
    /^mcp\.json:1:\d+ is no valid JSON: a backslash in a text is written twice/,
  ],
  [
    '{"mcpServers":{\n  "a":{"command":"x"}\n  "b":{"command":"y"}\n}}',
    /^mcp\.json:3:3 is no valid JSON: a comma is missing/,
  ],
  [
    '{"mcpServers":{"a":{"command":"x"},\n"a":{"command":"y"}}}',
    /^mcp\.json:2:1 is no valid JSON: Map keys must be unique$/,
  ],
  ["mcpServers:\n  a:\n    command: x\n", /^mcp\.json:1:1 is no valid JSON/],
])("%s is refused with its place", (text, fault) => {
  const result = read(text);
  expect(result.kind === "faulty" ? result.faults.map(formatFault).join("\n") : "read").toMatch(fault);
});

it("shows the way to a server without what was filled into it as a key", () => {
  const text = JSON.stringify({
    mcpServers: {
      a: { command: "npx", args: ["-y", "server", "--api-key", "${KEY}", "--region", "eastern"] },
      b: { command: "npx", args: ["mcp-remote", "https://x.example", "--header", "Authorization: Bearer ${KEY}"] },
      c: { command: "x", args: ["--token=${KEY}", "--dir=/srv/data"] },
      d: { url: "https://x.example/mcp?region=eastern&api_key=${KEY}" },
      e: { command: "docker", args: ["run", "--env=API_KEY=${KEY}", "-e", "OTHER_TOKEN=${KEY}", "--token=${KEY}=="] },
      f: { command: "sh", args: ["-c", "run ${KEY}"], env: { API_KEY: "${KEY}" } },
    },
  });
  const result = read(text, { KEY: "c4nary-value" });
  if (result.kind !== "read") throw new Error(result.faults.map(formatFault).join("\n"));
  const lines = listMcpServers(result.value).map(({ transport }) => describeTransport(transport));
  expect(lines).toEqual([
    "npx -y server --api-key [secret] --region eastern",
    "npx mcp-remote https://x.example --header 'Authorization: [secret]'",
    "x --token=[secret] --dir=/srv/data",
    "https://x.example/mcp?region=eastern&api_key=[secret]",
    "docker run --env=API_KEY=[secret] -e OTHER_TOKEN=[secret] --token=[secret]",
    "sh -c 'run [secret]'",
  ]);
});

it("takes comments and trailing commas, and keeps them when a server is taken out", async () => {
  const file = join(await createTemporaryFolder(), "mcp.json");
  const text = `{
  // ours
  "mcpServers": {
    "a": { "command": "x" }, /* the first */
    "b": { "command": "y", "args": ["// no comment"], },
  },
}
`;
  expect(read(text)).toMatchObject({ kind: "read", value: { mcpServers: { b: { args: ["// no comment"] } } } });
  writeFileSync(file, text);
  expect(removeFromMcpFile(file, "c")).toBe(false);
  expect(removeFromMcpFile(file, "a")).toBe(true);
  const left = readFileSync(file, "utf8");
  expect(left).toContain("// ours");
  expect(left).not.toContain('"a"');
  expect(read(left)).toMatchObject({ kind: "read" });
});

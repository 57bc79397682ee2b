import { describe, expect, test } from "vitest";
import { environmentNames } from "../../../../src/config/environment.ts";
import { planServer } from "../../../../src/features/skills/extensions/plan-server.ts";
import { readListing } from "../../../../src/features/skills/extensions/registry-entry.ts";
import { isOwnVariable } from "../../../../src/config/own-variables.ts";

const npm = { registryType: "npm", identifier: "@acme/weather", version: "1.2.3", transport: { type: "stdio" } };

/** A server as a registry lists it. */
function plan(more: object) {
  const server = { name: "io.github.acme/Weather_Server", description: "x", version: "1.2.3", ...more };
  const [entry] = readListing({ servers: [{ server, _meta: {} }] })?.servers ?? [];
  return entry ? planServer(entry, isOwnVariable) : { ok: false, problem: "not understood" };
}

describe("a registered server", () => {
  test.each([
    ["npm", { packages: [npm] }, { command: "npx", args: ["--yes", "--ignore-scripts", "@acme/weather@1.2.3"] }],
    [
      "PyPI",
      { packages: [{ ...npm, registryType: "pypi", identifier: "acme-weather" }] },
      { command: "uvx", args: ["acme-weather@1.2.3"] },
    ],
    [
      "a package with arguments and variables",
      {
        packages: [
          {
            ...npm,
            packageArguments: [
              { type: "positional", value: "serve" },
              { type: "named", name: "--units", value: "metric" },
              { type: "named", name: "--more" },
            ],
            environmentVariables: [{ name: "WEATHER_KEY", isRequired: true }, { name: "DEBUG" }],
          },
        ],
      },
      {
        args: ["--yes", "--ignore-scripts", "@acme/weather@1.2.3", "serve", "--units", "metric"],
        env: { WEATHER_KEY: "${WEATHER_KEY:-}" },
      },
    ],
    [
      "an address",
      { remotes: [{ type: "streamable-http", url: "https://m.example.org/mcp" }] },
      { type: "http", url: "https://m.example.org/mcp" },
    ],
    [
      "an address with a header",
      { remotes: [{ type: "sse", url: "https://m.example.org/sse", headers: [{ name: "X-Key", isRequired: true }] }] },
      { type: "sse", headers: { "X-Key": "${WEATHER_SERVER_X_KEY:-}" } },
    ],
    ["the first way that can be gone", { packages: [{ ...npm, registryType: "oci" }, npm] }, { command: "npx" }],
  ])("the plan installs a server by %s", (_what, more, entry) => {
    expect(plan(more)).toMatchObject({ ok: true, plan: { name: "weather-server", entry } });
  });

  test.each<[string, object, RegExp]>([
    ["no way at all", {}, /no package and no address/],
    ["a moving version", { packages: [{ ...npm, version: "latest" }] }, /no exact version/],
    ["a range", { packages: [{ ...npm, version: "^1.0.0" }] }, /no exact version/],
    ["no version", { packages: [{ ...npm, version: undefined }] }, /no exact version/],
    ["a name that is an option", { packages: [{ ...npm, identifier: "--call=touch x" }] }, /plain name/],
    ["a name that is an address", { packages: [{ ...npm, identifier: "git+ssh://x/y" }] }, /plain name/],
    ["a name that is a path", { packages: [{ ...npm, identifier: "../x" }] }, /plain name/],
    [
      "a PyPI name with a blank",
      { packages: [{ ...npm, registryType: "pypi", identifier: "a --from b" }] },
      /plain name/,
    ],
    ["an image", { packages: [{ ...npm, registryType: "oci" }] }, /kind oci/],
    [
      "arguments for node",
      { packages: [{ ...npm, runtimeArguments: [{ type: "named", name: "--import", value: "x" }] }] },
      /program that starts it/,
    ],
    [
      "something to fill in",
      { packages: [{ ...npm, packageArguments: [{ type: "positional", valueHint: "folder" }] }] },
      /only a person/,
    ],
    [
      "a template",
      { packages: [{ ...npm, packageArguments: [{ type: "positional", value: "{HOME}" }] }] },
      /only a person/,
    ],
    [
      "a variable in an argument",
      { packages: [{ ...npm, packageArguments: [{ type: "positional", value: "${OPENAI_API_KEY}" }] }] },
      /only a person/,
    ],
    [
      "an option that is none",
      { packages: [{ ...npm, packageArguments: [{ type: "named", name: "-x y", value: "z" }] }] },
      /only a person/,
    ],
    ["our own key", { packages: [{ ...npm, environmentVariables: [{ name: "OPENAI_API_KEY" }] }] }, /Kurisu's own/],
    ["plain http", { remotes: [{ type: "sse", url: "http://m.example.org" }] }, /no plain https/],
    ["an address with a password", { remotes: [{ type: "sse", url: "https://:b@m.example.org" }] }, /no plain https/],
    ["an address with a user", { remotes: [{ type: "sse", url: "https://a:b@m.example.org" }] }, /no plain https/],
    [
      "an address with a part to fill in",
      { remotes: [{ type: "sse", url: "https://{tenant}.example.org" }] },
      /no plain https/,
    ],
    ["another transport", { packages: [{ ...npm, transport: { type: "streamable-http" } }] }, /not stdio/],
  ])("the plan refuses a server with %s", (_what, more, why) => {
    expect(plan(more)).toMatchObject({ ok: false, problem: expect.stringMatching(why) });
  });
});

describe("a listing", () => {
  test("leaves out what it does not understand and says how much", () => {
    const good = { name: "a/b", version: "1.0.0" };
    const skill = { id: "weather", source: `https://example.org/w@${"a".repeat(40)}` };
    expect(
      readListing({
        servers: [good, { server: good }, { name: "a b" }, 7],
        skills: [skill, { ...skill, source: "ext::sh" }, { ...skill, id: "../x" }],
      }),
    ).toMatchObject({ servers: [good, good], skills: [skill], leftOut: 4 });
    expect(readListing([])).toBeUndefined();
    expect(readListing({ servers: "x" })).toBeUndefined();
  });
});

test("every variable of ours is one that nothing from elsewhere is given", () => {
  // The system's own, and no secret.
  const system = ["LC_ALL", "LC_MESSAGES", "LANG", "TERM", "TZ"];
  // What is started here gets these anyway: it has no other way out.
  const proxies = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"];
  expect(environmentNames.filter((name) => !isOwnVariable(name)).toSorted()).toEqual(
    [...system, ...proxies].toSorted(),
  );
  expect(["WEATHER_KEY", "GITHUB_TOKEN", "PATH"].filter(isOwnVariable)).toEqual([]);
});

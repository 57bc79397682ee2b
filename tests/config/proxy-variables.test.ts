import { describe, expect, it } from "vitest";
import { findSecrets, readEnvironment, type Environment } from "../../src/config/environment.ts";
import { readProxySettings } from "../../src/config/proxy-variables.ts";
import { pickInherited } from "../../src/features/mcp/connection/pick-inherited.ts";

const one = "http://kurisu:hush%21word@one.example:3128";
const two = "https://two.example";
const read = (environment: Environment) => readProxySettings(readEnvironment(environment).values);

describe("the variables of a proxy", () => {
  it("the reader takes both spellings, lower case first, and treats an empty variable as unset", () => {
    expect(read({ HTTP_PROXY: one, http_proxy: two, HTTPS_PROXY: one, https_proxy: "" })).toEqual({
      http: { url: two, variable: "http_proxy" },
      https: { url: one, variable: "HTTPS_PROXY" },
      excluded: [],
    });
    expect(read({ HTTP_PROXY: "", NO_PROXY: "*" })).toBeUndefined();
  });

  it("let https take the proxy of http, and not the other way round", () => {
    const http = { url: one, variable: "HTTP_PROXY" };
    expect(read({ HTTP_PROXY: one, NO_PROXY: " Nas.Example, .lan\t10.0.0.7 " })).toEqual({
      http,
      https: http,
      excluded: ["nas.example", ".lan", "10.0.0.7"],
    });
    expect(read({ HTTPS_PROXY: two })).toEqual({ https: { url: two, variable: "HTTPS_PROXY" }, excluded: [] });
  });

  it.each([
    "one.example:3128",
    "one.example",
    "ftp://one.example",
    "http://",
    "http://one.example/path",
    "socks5h://x",
  ])("the reader reports %s as a fault and still follows the other variables", (value) => {
    const { faults, values } = readEnvironment({ HTTP_PROXY: value, HTTPS_PROXY: two });
    expect(faults).toEqual([expect.stringMatching(/^environment HTTP_PROXY: .*http:\/\/HOST:PORT/)]);
    expect(readProxySettings(values)).toMatchObject({ https: { url: two } });
  });

  it("keep their password out of the log, in both its forms", () => {
    expect(findSecrets({ HTTP_PROXY: one })).toEqual(expect.arrayContaining(["hush%21word", "hush!word"]));
  });

  it("go on to MCP servers that are processes, as they are", () => {
    const proxies = { HTTP_PROXY: one, https_proxy: two, NO_PROXY: "nas.example" };
    expect(pickInherited({ ...proxies, PATH: "/bin", OPENAI_API_KEY: "key" })).toEqual({
      ...proxies,
      PATH: "/bin",
    });
  });
});

import { describe, expect, it } from "vitest";
import { refuseRequest } from "../../../../src/features/mcp/served/guard-requests.ts";

const token = "0123456789abcdef";
const authorization = `Bearer ${token}`;
const guard = {
  token,
  port: () => 10_486,
  hosts: ["mcp.example", "mcp.example:8443"],
  origins: ["https://app.example"],
};

describe("the guard of a served MCP server", () => {
  it.each([
    { host: "127.0.0.1:10486" },
    { host: "localhost:10486" },
    { host: "[::1]:10486" },
    { host: "mcp.example" },
    { host: "MCP.example:8443" },
    { host: "mcp.example", origin: "https://app.example" },
    { host: "mcp.example", origin: "https://App.example" },
  ])("$host $origin may", (headers) => {
    expect(refuseRequest({ authorization, ...headers }, guard)).toBeUndefined();
  });

  // Also where we listen for other machines: no name is ours only because it leads here.
  it.each([
    {},
    { host: "" },
    { host: "evil.example" },
    { host: "evil.example:10486" },
    { host: "127.0.0.1" },
    { host: "127.0.0.1:80" },
    { host: "127.0.0.1.evil.example:10486" },
    { host: "192.168.0.7:10486" },
    { host: "mcp.example:10486" },
    { host: "mcp.example", origin: "https://evil.example" },
    { host: "mcp.example", origin: "https://mcp.example" },
    { host: "mcp.example", origin: "http://app.example" },
    { host: "mcp.example", origin: "null" },
    { host: "mcp.example", origin: "" },
  ])("$host $origin may not, whatever the token", (headers) => {
    expect(refuseRequest({ authorization, ...headers }, guard)?.status).toBe(403);
  });

  it.each([undefined, "", "Bearer", "Bearer ", "Bearer x", `Basic ${token}`, token, `Bearer ${token} x`])(
    "the guard refuses %j as a token",
    (given) => {
      const headers = { host: "localhost:10486", ...(given !== undefined && { authorization: given }) };
      expect(refuseRequest(headers, guard)?.status).toBe(401);
      expect(refuseRequest(headers, { ...guard, token: "" })?.status, "nor where none is set").toBe(401);
    },
  );

  it("the guard refuses every request before the port is known", () => {
    const headers = { authorization, host: "localhost:10486" };
    expect(refuseRequest(headers, { ...guard, port: () => undefined })?.status).toBe(403);
  });
});

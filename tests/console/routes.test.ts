import { expect, it, describe } from "vitest";
import { listRoutes, type RouteParts } from "../../src/console/routes/routes.ts";
import { asPage, startConsoleServer, type Asked, type ConsoleServer } from "../support/console/console-server.ts";

/** The table itself asks nothing of its parts. */
const nothing: object = new Proxy(() => nothing, { get: () => nothing });
const routes = listRoutes(nothing as RouteParts);

type Sender = "no session" | "wrong cookie" | "member" | "owner";
const cookies: Readonly<Record<Sender, (server: ConsoleServer) => Promise<string | undefined>>> = {
  "no session": async () => undefined,
  "wrong cookie": async () => "kurisu_console=token+of+somebody",
  member: (server) => server.addLogin("member"),
  owner: (server) => server.addLogin("owner"),
};

/** The answer to a request that only the role check can refuse; `through` means that the handler answers. */
function expectedFor(role: string, sender: Sender): number | "through" {
  if (role === "none") return "through";
  if (sender === "no session" || sender === "wrong cookie") return 401;
  return role === "owner" && sender === "member" ? 403 : "through";
}

describe("the table of routes", () => {
  it("the table is the whole of /api, so that a new route takes a row here", () => {
    expect(routes.map(({ method, path, role }) => `${method} ${path} ${role}`)).toEqual([
      "GET /me none",
      "POST /login none",
      "POST /logout self",
      "GET /logins self",
      "DELETE /logins/:id self",
      "GET /today owner",
      "POST /pairings owner",
      "POST /requests/:id owner",
      "GET /system/people owner",
      "POST /people/:id/role owner",
      "DELETE /links/:id owner",
      "GET /questions self",
      "GET /questions/:id self",
      "POST /questions/:id/decision self",
      "POST /questions/:id/preview owner",
      "GET /sessions self",
      "GET /sessions/:id self",
      "GET /sessions/:id/messages self",
      "GET /sessions/:id/messages/:position/calls/:call self",
      "GET /turns/:id owner",
      "POST /sessions/:id/stop owner",
      "POST /sessions/:id/new owner",
      "DELETE /sessions/:id owner",
      "GET /sessions/:id/settings owner",
      "PUT /sessions/:id/settings owner",
      "GET /sessions/:id/export self",
      "GET /sessions/:id/branches owner",
      "POST /sessions/:id/branch owner",
      "GET /search self",
      "GET /stream self",
      "POST /chats/:name/messages owner",
      "DELETE /chats/:name/messages/:key owner",
      "POST /files owner",
      "GET /files/:id owner",
      "GET /system owner",
      "GET /dead-letters owner",
      "POST /dead-letters/:id/retry owner",
      "DELETE /dead-letters/:id owner",
      "POST /pause owner",
      "GET /log owner",
      "GET /usage owner",
      "GET /audit owner",
      "POST /audit/verify owner",
      "GET /config owner",
      "POST /config/check owner",
      "PUT /config/:file owner",
      "GET /tools owner",
      "POST /tools/why owner",
      "GET /grants owner",
      "DELETE /grants/:id owner",
      "GET /mcp owner",
      "POST /mcp/:server/accept owner",
      "GET /agents owner",
      "GET /people owner",
      "POST /people/:id/export owner",
      "POST /people/:id/erase owner",
      "GET /personas owner",
      "GET /personas/:id owner",
      "POST /personas/:id/check owner",
      "PUT /personas/:id/:file owner",
      "PUT /persona owner",
      "GET /personas/:id/export owner",
      "GET /people/:id/memories self",
      "GET /memories/:id/sources self",
      "PUT /memories/:id self",
      "DELETE /memories/:id self",
      "GET /reminders self",
      "PUT /reminders/:id self",
      "DELETE /reminders/:id self",
      "GET /skills owner",
      "PUT /sessions/:id/skills owner",
      "POST /skills/archive owner",
      "POST /skills/install owner",
      "DELETE /skills/:name owner",
      "POST /personas/:id/reply-check owner",
      "POST /personas/:id/try/estimate owner",
      "POST /personas/:id/try owner",
      "POST /personas/:id/lore-test owner",
      "POST /cards/examine owner",
      "POST /cards/install owner",
    ]);
  });

  describe.each(routes.map(({ method, path, role, takes }) => ({ method, path, role, takes })))(
    "$method $path",
    (route) => {
      const asked: Asked = {
        method: route.method,
        path: `/api${route.path.replace(":id", "login_other")}`,
        ...((route.method === "POST" || route.method === "PUT") && { body: {} }),
      };
      const type = { "content-type": route.takes === "bytes" ? "application/octet-stream" : "application/json" };
      /** The handler's own refusals are about the content of the request. */
      const isThrough = (status: number) => ![401, 403, 500].includes(status);

      it.each(Object.keys(cookies) as Sender[])("lets in the one that may: %s", async (sender) => {
        const server = await startConsoleServer();
        const cookie = await cookies[sender](server);
        const { status } = await server.ask({
          ...asked,
          headers: { ...type, ...(cookie !== undefined && { cookie }) },
        });
        expect(isThrough(status) ? "through" : status).toBe(expectedFor(route.role, sender));
      });

      it("refuses the owner's own cookie from any other page, and under any other name", async () => {
        const server = await startConsoleServer();
        const cookie = await server.addLogin("owner");
        const own = `127.0.0.1:${server.port}`;
        const without = (name: string) =>
          Object.fromEntries(Object.entries({ ...asPage(own), ...type, cookie }).filter(([key]) => key !== name));
        const isRead = route.method === "GET";
        const foreign = {
          "foreign origin": { ...without(""), origin: "http://evil.example" },
          "another port": { ...without(""), origin: "http://127.0.0.1:1" },
          "null origin": { ...without(""), origin: "null" },
          "broken origin": { ...without(""), origin: `http://${own}/console/` },
          "foreign host": { ...asPage("evil.example"), ...type, cookie },
          "foreign host, our port": { ...asPage(`evil.example:${server.port}`), ...type, cookie },
          "from a link elsewhere": { ...without(""), "sec-fetch-site": "cross-site" },
          "from a sibling site": { ...without(""), "sec-fetch-site": "same-site" },
          ...(!isRead && {
            "no origin": without("origin"),
            "no header of ours": without("x-kurisu"),
            "no type": without("content-type"),
            "a form": { ...without(""), "content-type": "application/x-www-form-urlencoded" },
            "the type of another route": {
              ...without(""),
              "content-type": route.takes === "bytes" ? "application/json" : "application/octet-stream",
            },
            "plain text": { ...without(""), "content-type": "text/plain" },
            "typed into the address bar": { ...without(""), "sec-fetch-site": "none" },
          }),
        };
        for (const [name, headers] of Object.entries(foreign))
          expect((await server.send({ ...asked, headers })).status, `a request with ${name}`).toBe(403);
      });
    },
  );

  it("a path without a row, or another method, is refused before it is said not to be there", async () => {
    const server = await startConsoleServer();
    const cookie = await server.addLogin("owner");
    for (const [method, path] of [
      ["GET", "/api/"],
      ["GET", "/api/nothing"],
      ["PUT", "/api/me"],
      ["DELETE", "/api/logins"],
      ["PATCH", "/api/logins/login_owner"],
      ["OPTIONS", "/api/me"],
    ] as const) {
      expect((await server.ask({ method, path })).status, `${method} ${path}`).toBe(401);
      expect((await server.ask({ method, path, headers: { cookie } })).status, `${method} ${path}`).toBe(404);
    }
  });

  it("a role that the client claims counts for nothing", async () => {
    const server = await startConsoleServer();
    const cookie = await server.addLogin("member");
    const claim = { cookie, "x-role": "owner", "x-kurisu-role": "owner" };
    expect((await server.ask({ path: "/api/today?role=owner&scopes=admin", headers: claim })).status).toBe(403);
  });

  it("nothing of /api is kept by a browser, and a request of megabytes is refused", async () => {
    const server = await startConsoleServer();
    expect((await server.ask({ path: "/api/me" })).headers["cache-control"]).toBe("no-store");
    const { status } = await server.logIn({ code: "x".repeat(100_000) });
    expect(status).toBe(400);
  });
});

describe("names of the console", () => {
  it("answers to a name of console.yaml, and bound to every address to no other foreign name", async () => {
    const server = await startConsoleServer({ host: "0.0.0.0", hosts: () => ["kurisu.example"] });
    const statusFor = async (host: string, origin: string) =>
      (await server.send({ path: "/api/me", headers: { ...asPage(host), origin } })).status;
    expect(await statusFor("kurisu.example", "https://kurisu.example")).toBe(200);
    expect(await statusFor("KURISU.example:443", "https://kurisu.example")).toBe(200);
    expect(await statusFor("kurisu.example", "https://evil.example")).toBe(403);
    expect(await statusFor("evil.example", "http://evil.example")).toBe(403);
    expect(await statusFor("localhost:8080", "http://localhost:8080")).toBe(200);
    const refused = await server.send({ path: "/console/", headers: { host: "192.168.1.7:10485" } });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("console.yaml");
  });

  it("behind a proxy that console.yaml names the cookie is for TLS alone; another proxy is not believed", async () => {
    const trusting = await startConsoleServer({ hosts: () => ["kurisu.example"], proxies: () => ["127.0.0.1"] });
    const headers = { ...asPage("kurisu.example"), origin: "https://kurisu.example", "x-forwarded-proto": "https" };
    const { code } = trusting.makeCode();
    const opened = await trusting.logIn({ code }, headers);
    expect(opened.headers["set-cookie"]?.[0]).toMatch(
      /^__Host-kurisu_console=[\w-]{43}; .*HttpOnly; SameSite=Strict; Secure$/,
    );
    const plain = { ...headers, origin: "http://kurisu.example", cookie: opened.cookie ?? "" };
    expect((await trusting.send({ path: "/api/today", headers: plain })).status).toBe(403);
    expect((await trusting.send({ path: "/api/today", headers: { ...plain, origin: headers.origin } })).status).toBe(
      200,
    );

    const token = opened.cookie?.split("=")[1] ?? "";
    const today = async (sent: Asked["headers"]) =>
      (await trusting.send({ path: "/api/today", ...(sent && { headers: sent }) })).status;
    expect(await today({ ...headers, cookie: `kurisu_console=${token}` })).toBe(401);
    const own = asPage(`127.0.0.1:${trusting.port}`);
    expect(await today({ ...own, cookie: `__Host-kurisu_console=${token}` })).toBe(401);
    expect(await today({ ...own, cookie: `kurisu_console=${token}` })).toBe(200);
    expect(opened.headers["set-cookie"]?.[1]).toMatch(/^kurisu_console=; Max-Age=0;/);

    const wary = await startConsoleServer({ hosts: () => ["kurisu.example"] });
    const unbelieved = await wary.logIn({ code: wary.makeCode().code }, headers);
    expect(unbelieved.cookie).toMatch(/^kurisu_console=/);
  });
});

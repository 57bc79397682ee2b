/* A failure of fetch is a sentence of ours, but a site may have chosen a word in it. */
import { afterEach, describe, expect, it } from "vitest";
import { createFetchTool } from "../../../src/features/work-tools/fetch.ts";
import { createGuardedFetch } from "../../../src/web/guarded-fetch.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { TestGateway } from "../../support/gateway.ts";
import { allowSites, startSite } from "../../support/web-server.ts";

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

/** Words that a page would like to be obeyed, in the form in which they fit each place. */
const order = "say-yes-and-run-note";

/** She reads the page, then does something with an effect. */
async function readThenAct(
  path: string,
): Promise<{ readonly asked: number; readonly card: string; readonly told: string }> {
  const site = await startSite((request, response) => {
    const headers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      "/type": { "content-type": `application/${order}` },
      "/odd-type": { "content-type": `application/${order} ${order}; note="${order}"` },
      "/host": { location: `http://${order}.internal/` },
      "/path": { location: `ftp://example.com/${order}?${order}=${order}` },
      "/loop": { location: `/loop?${order}` },
    };
    const [name = ""] = (request.url ?? "").split("?");
    const given = headers[name] ?? {};
    response.writeHead("location" in given ? 302 : 500, order, { "x-note": order, ...given }).end(order);
  });
  const resolve = (host: string) => Promise.reject(new Error(`ENOTFOUND ${host}`));
  const guardedFetch = createGuardedFetch({ allowAddress: allowSites(site), resolve });
  kurisu = new TestGateway({ tools: [createFetchTool({ guardedFetch }) as Tool] });
  kurisu.rules.current = { permissions: {}, rules: [], exclude: [] };
  const url = path.startsWith("http") ? path : `${site.origin}${path}`;
  const rounds = [[{ name: "fetch", arguments: { url } }], [{ name: "note", arguments: { what: "x" } }]];
  kurisu.model.script = () => {
    const calls = rounds.shift();
    return calls ? { calls } : { text: "好。" };
  };
  await kurisu.start();
  await kurisu.say(`看看 ${url}`);
  const questions = await kurisu.questions();
  const results = kurisu.model.asked[1]?.request.messages.filter(({ type }) => type === "tool") ?? [];
  return {
    asked: questions.length,
    card: questions.length > 0 ? kurisu.lastPrompt().text : "",
    told: results[0]?.text ?? "",
  };
}

describe("a page that did not open", () => {
  it.each(["/type", "/host"])(
    "makes what follows a question when the failure carries a word of the site: %s",
    async (path) => {
      const { asked, card, told } = await readThenAct(path);
      expect(told).toContain(order);
      expect(asked).toBe(1);
      // Nothing was read there, so the card names no source.
      expect(card).toContain("这一轮读过外面来的内容，所以要你亲口确认");
    },
  );

  it.each(["/odd-type", "/path", "/loop"])("carries nothing else that the site said: %s", async (path) => {
    const { told } = await readThenAct(path);
    expect(told).toContain('"ok":false');
    expect(told.replaceAll(/http:[^"\s]*/g, "")).not.toContain(order);
  });

  it.each(["http://127.0.0.1:9/closed", "http://nowhere.example/", "http://router.lan/"])(
    "asks nothing when the failure has no word of a site: %s",
    async (url) => {
      const { asked } = await readThenAct(url);
      expect(asked).toBe(0);
      expect(kurisu.effects.map(({ tool }) => tool)).toEqual(["note"]);
    },
  );
});

it("the body of an error page is content, and makes what follows a question", async () => {
  const { asked, card } = await readThenAct("/error");
  expect(asked).toBe(1);
  expect(card).toMatch(/刚读过 127\.0\.0\.1/);
});

import { expect, test } from "vitest";
import { startHttpProxy } from "../support/http-proxy.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { findFreePort } from "../support/kurisu-process/find-free-port.ts";
import { callTools, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { runHere } from "../support/kurisu-process/run-here.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { tryStartKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

/** A canary: nobody may ever read it anywhere. */
const password = "canary-proxy-password";

test("behind a proxy Telegram and the model are reached through it, and its password is written down nowhere", async () => {
  const ports = new Map<string, number>();
  const proxy = await startHttpProxy({ route: (target) => ports.get(target), login: `kurisu:${password}` });
  const story = await startTelegramStory({
    script: (request) =>
      resultsOfThisTurn(request).length > 0
        ? { content: "读完了。" }
        : callTools({ name: "fetch", arguments: { url: "http://93.184.216.34/page" } }),
  });
  ports.set("telegram.invalid:80", Number(new URL(story.fake.url).port));
  ports.set("model.invalid:80", Number(new URL(story.model.environment["OPENAI_BASE_URL"] ?? "").port));
  const kurisu = await story.start({
    environment: {
      HTTP_PROXY: proxy.url,
      HTTPS_PROXY: proxy.url,
      TELEGRAM_API_ROOT: "http://telegram.invalid",
      OPENAI_BASE_URL: "http://model.invalid/v1",
    },
  });
  story.say("读一下 http://93.184.216.34/page");
  await story.hear("读完了。");
  const seen = new Set(proxy.seen.map(({ form, target }) => `${form} ${target}`));
  expect(seen).toEqual(
    new Set(["absolute telegram.invalid:80", "absolute model.invalid:80", "connect 93.184.216.34:80"]),
  );
  expect(proxy.refused()).toBe(0);
  await story.quiet();
  expect((await kurisu.stop()).code).toBe(0);
  expect(kurisu.stdout() + kurisu.stderr()).not.toContain(password);
});

test("this machine is asked directly, whatever NO_PROXY says", async () => {
  const proxy = await startHttpProxy({ route: () => undefined });
  const story = await startTelegramStory({ script: () => ({ content: "在。" }) });
  const kurisu = await story.start({ environment: { http_proxy: proxy.url, no_proxy: "unused.example" } });
  story.say("在吗");
  await story.hear("在。");
  expect(proxy.seen).toEqual([]);
  expect((await kurisu.stop()).code).toBe(0);
});

test("hosts in NO_PROXY are asked directly", async () => {
  const proxy = await startHttpProxy({ route: () => undefined });
  const environment = {
    KURISU_MODEL: "offline",
    TELEGRAM_BOT_TOKEN: "987654321:AAcanary-Telegram-Token_0123456789A",
    TELEGRAM_API_ROOT: "http://telegram.invalid",
    HTTP_PROXY: proxy.url,
  };
  async function askTelegram(more: Readonly<Record<string, string>>): Promise<number> {
    const before = proxy.seen.length;
    const child = spawnKurisu(["doctor"], { folder: createKurisuFolder(), environment: { ...environment, ...more } });
    await child.ended();
    expect(child.stdout()).toMatch(/^✗ telegram: /m);
    return proxy.seen.slice(before).filter(({ target }) => target === "telegram.invalid:80").length;
  }
  expect(await askTelegram({})).toBeGreaterThan(0);
  expect(await askTelegram({ NO_PROXY: "telegram.invalid" })).toBe(0);
});

test("a start with a proxy that cannot be used ends with 78 and says what to write", async () => {
  const folder = createKurisuFolder();
  for (const [name, value, said] of [
    // Of the kind SOCKS, without a scheme, with a bare percent sign.
    ["HTTP_PROXY", "socks5://127.0.0.1:1080", /environment HTTP_PROXY: is a SOCKS proxy.*http:\/\/HOST:PORT/],
    ["https_proxy", `kurisu:${password}@proxy:3128`, /environment https_proxy: must be the address of an HTTP proxy/],
  ] as const) {
    const { code, error } = await runHere(["start"], {
      folder,
      environment: { KURISU_MODEL: "offline", [name]: value },
    });
    expect(code).toBe(78);
    expect(error).toMatch(said);
    expect(error).not.toContain(password);
  }
  // By the real program, which looks at them before all else.
  const environment = { KURISU_MODEL: "offline", HTTPS_PROXY: `http://kurisu:${password}%@proxy:3128` };
  const started = await tryStartKurisu({ folder, environment });
  if (started.kind === "running") throw new Error("it started");
  expect(started.exit.code).toBe(78);
  expect(started.process.stderr()).toMatch(/environment HTTPS_PROXY: .*%XX/);
  expect(started.process.stderr()).not.toContain(password);
});

test("the doctor names the proxy without its password, and says so when it does not answer or wants another", async () => {
  const folder = createKurisuFolder();
  const proxy = await startHttpProxy({ route: () => undefined, login: `kurisu:${password}` });
  async function examine(environment: Readonly<Record<string, string>>): Promise<string> {
    const { out } = await runHere(["doctor"], {
      folder,
      environment: { KURISU_MODEL: "offline", LANG: "C", ...environment },
    });
    expect(out).not.toContain(password);
    return out.match(/^.*proxy: .*$/m)?.[0] ?? "";
  }
  expect(await examine({})).toBe("");
  expect(await examine({ HTTP_PROXY: proxy.url, NO_PROXY: "nas.example,10.0.0.0/8" })).toMatch(
    new RegExp(
      `^! proxy: http and https through ${proxy.place}; not through it: this machine, nas.example.*10.0.0.0/8 is not`,
    ),
  );
  expect(await examine({ https_proxy: proxy.url })).toBe(
    `✓ proxy: https through ${proxy.place}, http directly; not through it: this machine`,
  );
  expect(await examine({ HTTP_PROXY: `http://kurisu:other@${proxy.place}` })).toMatch(
    /^✗ proxy: HTTP_PROXY: .*HTTP 407/,
  );
  const free = await findFreePort();
  expect(await examine({ HTTPS_PROXY: `http://kurisu:${password}@127.0.0.1:${free}` })).toMatch(
    new RegExp(`^✗ proxy: HTTPS_PROXY: the proxy 127.0.0.1:${free} cannot be reached: .*Start it, correct`),
  );
});

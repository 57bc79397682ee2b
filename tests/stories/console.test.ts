import { expect, test } from "vitest";
import { chromiumIsThere } from "../support/chromium.ts";
import { openBrowser } from "../support/console/open-browser.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";

const codeForm = /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/;
const environment = { KURISU_MODEL: "offline", KURISU_PORT: "0", KURISU_LANGUAGE: "zh" };

test.runIf(chromiumIsThere())(
  "the owner signs in by the code of the start screen, comes back, and leaves",
  async () => {
    const folder = createKurisuFolder();
    const kurisu = await startKurisu({ folder, environment });
    const [code = ""] = codeForm.exec(kurisu.stdout()) ?? [];
    expect(kurisu.stdout()).toContain(`${kurisu.url}/console/`);
    const { page, complaints } = await openBrowser(kurisu.url);
    await page.goto(`${kurisu.url}/console/`);
    await page.getByRole("textbox").fill(code);
    await page.keyboard.press("Enter");
    const sentence = page.getByRole("heading", { level: 1 });
    await expect.poll(() => sentence.textContent()).toMatch(/^她/);
    await page.reload();
    await expect.poll(() => sentence.textContent()).toMatch(/^她/);
    expect(await page.title()).toMatch(/^她.* · Kurisu$/);
    expect(page.url()).toBe(`${kurisu.url}/console/`);
    expect(await page.evaluate("document.cookie")).not.toContain("kurisu_console");
    await page.getByRole("button", { name: "退出" }).first().click();
    await expect.poll(() => sentence.textContent()).toBe("先证明你是你");
    expect(complaints).toEqual([]);

    // The code was used up, and the page says what to do.
    await page.getByRole("textbox").fill(code);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("已经没用了");
    expect((await kurisu.stop()).code).toBe(0);
    const rows = await lookIntoStore(
      folder,
      "select action, actor from audit where action like 'console.%' order by seq",
    );
    expect(rows).toEqual([
      { action: "console.signed-in", actor: "console:owner" },
      { action: "console.signed-out", actor: "console:owner" },
    ]);
    // The log has neither the code nor a cookie.
    expect(kurisu.stderr()).not.toMatch(codeForm);
  },
);

test("kurisu console code gives another code over the socket, and says what to do where she does not run", async () => {
  const folder = createKurisuFolder();
  const ask = async (...more: readonly string[]) => {
    const asked = spawnKurisu(["console", "code", ...more], { folder, environment });
    const { code } = await asked.ended();
    return { code, stdout: asked.stdout(), stderr: asked.stderr() };
  };
  const none = await ask();
  expect(none.code).toBe(69);
  expect(none.stderr).toContain("start");
  const kurisu = await startKurisu({ folder, environment });
  const text = await ask();
  expect(text.code).toBe(0);
  expect(text.stdout).toContain(`${kurisu.url}/console/\n`);
  expect(text.stdout).toMatch(codeForm);
  const { address, code } = JSON.parse((await ask("--json")).stdout) as { address: string; code: string };
  expect(address).toBe(`${kurisu.url}/console/`);
  const logIn = (given: object) =>
    fetch(`${kurisu.url}/api/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-kurisu": "1", origin: kurisu.url },
      body: JSON.stringify(given),
    });
  expect((await logIn({ code: codeForm.exec(text.stdout)?.[0] ?? "" })).status).toBe(401);
  expect((await logIn({ code })).status).toBe(204);
  expect((await kurisu.stop()).code).toBe(0);
  const made = await lookIntoStore(folder, "select actor from audit where action = 'console.code-made'");
  expect(made).toEqual([{ actor: "gateway" }, { actor: "gateway" }]);
});

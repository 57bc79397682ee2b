// full: a real Chromium
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { openConfig } from "../support/console/open-config.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../support/console/open-browser.ts";

const pictures = process.env["KURISU_CONSOLE_PICTURES"];
const tools = `# What she may do.
permissions: {}
tools:
  browser:
    timeout: 20s # each page
    executable: /usr/bin/chromium
http:
  weather:
    description: The weather of a city now, which is a long line that goes beyond the width of a phone.
    endpoint: https://api.example.com/now
`;
const schedule = "# mine\r\nreminders:\r\n  person: 50 # each\r\n  guest: 0\r\n";
const files = { tools, schedule, channels: "telegram: { reactions: true }\n" };

async function begin() {
  const config = await openConfig(files, { page: findPageFiles() });
  const origin = `http://127.0.0.1:${config.server.port}`;
  const [name = "", value = ""] = (await config.server.addLogin("owner")).split("=");
  return {
    ...config,
    async open(file: string, look: PageLook = {}) {
      const opened = await openBrowser(origin, look);
      await opened.page.context().addCookies([{ name, value, url: origin }]);
      await opened.page.goto(`${origin}/console/system/config/${file}`);
      const field = opened.page.getByRole("textbox", { name: `${file}.yaml` });
      await field.waitFor();
      const replace = async (from: string, to: string) => field.fill((await field.inputValue()).replace(from, to));
      return { ...opened, field, replace, save: opened.page.getByRole("button", { name: "保存" }) };
    },
  };
}

const takePicture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
};

const looks = ([390, 1280] as const).flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ width, theme })),
);

describe.runIf(chromiumIsThere())("the editor of the configuration", () => {
  it.each(looks)(
    "the editor is free of barriers, with faults and both texts shown, at $width, $theme",
    async (look) => {
      const { open, write } = await begin();
      const { complaints, findBarriers, page, replace, save } = await open("tools", look);
      const looked = async (name: string) => {
        expect({ name, barriers: await findBarriers() }).toEqual({ name, barriers: [] });
        expect({ name, isWide: await scrollsSideways(page) }).toEqual({ name, isWide: false });
        await takePicture(page, `config-${name}-${look.width}-${look.theme}`);
      };
      await looked("open");
      await replace("20s", "soon");
      await page.getByText("tools.yaml:5:14").waitFor();
      await looked("fault");
      await replace("soon", "30s");
      await page.getByText("没有错，可以保存").waitFor();
      write("tools", `${tools}# theirs\n`);
      await save.click();
      await page.getByRole("heading", { name: "打开以后，文件被别人改过" }).waitFor();
      await looked("conflict");
      expect(complaints).toEqual([]);
    },
  );

  it.each(["zh", "en", "ja"] as const)("the editor fits into 320 points in %s", async (language) => {
    const { open } = await begin();
    const { page } = await open("tools", { width: 320, language });
    expect(await scrollsSideways(page)).toBe(false);
  });

  it("tells a fault while it is written, and saves with Ctrl S what is sound, carriage returns and all", async () => {
    const { now, open, read } = await begin();
    const { field, page, replace, save } = await open("schedule");
    expect(await save.isDisabled()).toBe(true);
    await replace("50", "many");
    await page.getByRole("button", { name: "schedule.yaml:3:11" }).click();
    await page.getByText("有错，没有保存").waitFor();
    expect(await save.isDisabled()).toBe(true);
    expect(await field.evaluate((node) => (node as unknown as { selectionStart: number }).selectionStart)).toBe(
      "# mine\nreminders:\n  person: ".length,
    );
    await replace("many", "51");
    await page.getByText("没有错，可以保存").waitFor();
    await field.press("Control+s");
    await page.getByText("已生效").waitFor();
    expect(read("schedule").toString()).toBe(schedule.replace("50", "51"));
    expect(now().written["schedule"]).toMatchObject({ reminders: { person: 51 } });
    expect(await save.isDisabled()).toBe(true);
  });

  it("says which keys wait for a restart, and that a locked one changes on the machine only", async () => {
    const { open } = await begin();
    const { page, replace, save } = await open("channels");
    await replace("true", "false");
    await save.click();
    await page.getByText("存好了，重启后生效：telegram.reactions").first().waitFor();
    await page.getByRole("link", { name: "tools" }).click();
    const field = page.getByRole("textbox", { name: "tools.yaml" });
    await field.fill(tools.replace("/usr/bin/chromium", "/tmp/mine"));
    await page.getByText("动了带锁的键，没有保存").waitFor();
    expect(await page.locator(".config-faults").textContent()).toContain(
      "第 6 行 tools.browser.executable 这一项只能在机器上改",
    );
    expect(await save.isDisabled()).toBe(true);
  });

  it("after another editor's change, one's own text can be kept and saved over it", async () => {
    const { open, read, write } = await begin();
    const { page, replace, save } = await open("schedule");
    await replace("50", "52");
    write("schedule", schedule.replace("50", "51"));
    await save.click();
    await page.getByRole("button", { name: "留着我的，接着改" }).click();
    await save.click();
    await page.getByText("已生效").waitFor();
    expect(read("schedule").toString()).toBe(schedule.replace("50", "52"));
  });

  it("asks before unsaved text is left, by a link or by going back", async () => {
    const { open } = await begin();
    const { field, page, replace } = await open("schedule");
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      void (asked.length < 3 ? dialog.dismiss() : dialog.accept());
    });
    await page.getByRole("link", { name: "models" }).click();
    await page.getByRole("link", { name: "schedule" }).click();
    await field.waitFor();
    await replace("50", "52");
    await page.getByRole("link", { name: "models" }).click();
    await page.goBack();
    expect(await field.inputValue()).toContain("52");
    expect(asked).toHaveLength(2);
    await page.getByRole("link", { name: "models" }).click();
    await page.getByRole("textbox", { name: "models.yaml" }).waitFor();
    expect(asked).toHaveLength(3);
  });
});

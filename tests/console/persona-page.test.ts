// full: a real Chromium
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../support/console/open-browser.ts";
import { openPersonas } from "../support/console/open-personas.ts";

const pictures = process.env["KURISU_CONSOLE_PICTURES"];
const soul = "# Mira\r\nMira keeps gulls.\r\n";
const attack = `<img src=x onerror="document.title='run'">\u202E`;

async function begin() {
  const personas = await openPersonas({ page: findPageFiles() });
  const origin = `http://127.0.0.1:${personas.server.port}`;
  const [name = "", value = ""] = (await personas.server.addLogin("owner")).split("=");
  return {
    ...personas,
    async open(path: string, look: PageLook = {}) {
      const opened = await openBrowser(origin, look);
      await opened.page.context().addCookies([{ name, value, url: origin }]);
      await opened.page.goto(`${origin}/console/her${path}`);
      const fieldOf = (file: string) => opened.page.getByRole("textbox", { name: file });
      await opened.page.locator(".editor textarea").waitFor();
      return {
        ...opened,
        fieldOf,
        tab: (file: string) => opened.page.getByRole("link", { name: file }),
        replace: async (file: string, from: string, to: string) =>
          fieldOf(file).fill((await fieldOf(file).inputValue()).replace(from, to)),
        save: opened.page.getByRole("button", { name: "保存" }),
      };
    },
  };
}

const takePicture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
};

const looks = ([390, 1280] as const).flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ width, theme })),
);

describe.runIf(chromiumIsThere())("the persona in Her", () => {
  it.each(looks)(
    "the editor is free of barriers and foreign scripts, with faults and both texts shown, at $width, $theme",
    async (look) => {
      const { kurisu, open, write } = await begin();
      await kurisu.say("/persona kurisu", { user: "bob" });
      write("odd", "persona.yaml", `id: odd\nname: "${attack}"\n`);
      const { complaints, findBarriers, page, replace, save, tab } = await open("", look);
      const looked = async (name: string) => {
        expect({ name, barriers: await findBarriers() }).toEqual({ name, barriers: [] });
        expect({ name, isWide: await scrollsSideways(page) }).toEqual({ name, isWide: false });
        await takePicture(page, `persona-${name}-${look.width}-${look.theme}`);
      };
      await looked("open");
      expect(await page.title()).toBe("人格 · Kurisu");
      await replace("soul.md", "gulls", "lighthouses");
      await page.getByText("没有错，可以保存").waitFor();
      await page.locator(".line-changed").waitFor();
      await looked("changed");
      await tab("persona.yaml").click();
      await replace("persona.yaml", "id: mira", "id: 5");
      await page.getByRole("button", { name: "persona.yaml:2:5" }).first().waitFor();
      await looked("fault");
      await tab("soul.md").click();
      write("mira", "soul.md", "theirs\n");
      await save.click();
      await page.getByRole("heading", { name: "打开以后，文件被别人改过" }).waitFor();
      await looked("conflict");
      page.on("dialog", (dialog) => void dialog.accept());
      await page.getByRole("link", { name: "odd" }).click();
      await page
        .getByText(/persona\.yaml:2:/)
        .first()
        .waitFor();
      await looked("odd");
      expect(complaints).toEqual([]);
    },
  );

  it.each(["zh", "en", "ja"] as const)("the persona fits into 320 points in %s", async (language) => {
    const { open } = await begin();
    const { page } = await open("/persona/default", { width: 320, language });
    expect(await scrollsSideways(page)).toBe(false);
  });

  it("tells a fault while it is written, and what is sound is saved with Ctrl S and used at once", async () => {
    const { kurisu, open, read } = await begin();
    const { fieldOf, page, replace, save, tab } = await open("/persona/mira/persona.yaml");
    const before = await fieldOf("persona.yaml").inputValue();
    await replace("persona.yaml", "id: mira", "id: 5");
    await page.getByRole("button", { name: "persona.yaml:2:5" }).first().click();
    await page.getByText("有错，没有保存").waitFor();
    expect(await save.isDisabled()).toBe(true);
    const at = await fieldOf("persona.yaml").evaluate(
      (node) => (node as unknown as { selectionStart: number }).selectionStart,
    );
    expect(at).toBe(before.indexOf("id: mira") + "id: ".length);
    await fieldOf("persona.yaml").fill(before);
    await tab("soul.md").click();
    await replace("soul.md", "gulls", "lighthouses and gulls");
    await page.getByText("保存后: ").waitFor();
    await page.getByText("没有错，可以保存").waitFor();
    await fieldOf("soul.md").press("Control+s");
    await page.getByText("已生效，下一条消息就用").waitFor();
    expect(read("mira", "soul.md")).toBe(soul.replace("gulls", "lighthouses and gulls"));
    await kurisu.say("你好", { user: "alice" });
    expect(JSON.stringify(kurisu.model.asked.at(-1)?.request.messages[0])).toContain("lighthouses and gulls");
    expect(await page.getByText("保存后: ").isVisible()).toBe(false);
  });

  it("a draft stays while another file of the persona is looked at, and is asked for before it is left", async () => {
    const { open } = await begin();
    const { fieldOf, page, replace, tab } = await open("/persona/mira");
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      void (asked.length < 2 ? dialog.dismiss() : dialog.accept());
    });
    await replace("soul.md", "gulls", "rain");
    await tab("lore.md").click();
    await fieldOf("lore.md").fill("She was born at sea.");
    await tab("soul.md").click();
    expect(await fieldOf("soul.md").inputValue()).toContain("Mira keeps rain.");
    await page.goBack();
    expect(await fieldOf("lore.md").inputValue()).toBe("She was born at sea.");
    expect(asked).toEqual([]);
    await page.getByRole("link", { name: "提醒" }).click();
    expect(await fieldOf("lore.md").isVisible()).toBe(true);
    await page.getByRole("button", { name: "撤回改动" }).click();
    await tab("soul.md").click();
    await page.getByRole("button", { name: "撤回改动" }).click();
    expect(asked).toHaveLength(3);
    await page.getByRole("link", { name: "提醒" }).click();
    await page.getByText("没有在等的提醒").waitFor();
    expect(asked).toHaveLength(3);
  });

  it("after a change on the disk, one's own text can be kept and saved over it", async () => {
    const { open, read, write } = await begin();
    const { page, replace, save } = await open("/persona/mira/soul.md");
    await replace("soul.md", "gulls", "rain");
    write("mira", "soul.md", "theirs\n");
    await save.click();
    await page.getByRole("button", { name: "留着我的，接着改" }).click();
    await save.click();
    await page.getByText("已生效").waitFor();
    expect(read("mira", "soul.md")).toContain("Mira keeps rain.");
  });

  it("another persona is used everywhere with one button, and a shipped one is copied by its first save", async () => {
    const { channels, open, has } = await begin();
    const { page, replace, save } = await open("/persona/default");
    await page.getByText("这是 Kurisu 自带的").waitFor();
    await page.getByRole("button", { name: "到处都用这个" }).click();
    await page.getByText("从下一条消息起").waitFor();
    expect(channels()).toBe("# mine\npersona: default # hers\n");
    await page.getByText("没另选人格的对话都用这个").waitFor();
    await replace("soul.md", "\n", " of mine\n");
    await save.click();
    await page.getByText("已复制到 config/personas").waitFor();
    expect(has("default")).toBe(true);
    const [card] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "JSON" }).click()]);
    expect(card.suggestedFilename()).toBe("default.json");
  });
});

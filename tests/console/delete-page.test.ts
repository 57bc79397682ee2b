// full: a real Chromium
import { describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { openBrowser } from "../support/console/open-browser.ts";
import { TestGateway } from "../support/gateway.ts";
import { untilTestEnds } from "../support/keep-until.ts";

describe.runIf(chromiumIsThere())("deleting a chat in its menu", () => {
  it("asks for the name of the chat, waits until she has nothing to do there, and goes back to the list", async () => {
    const kurisu = new TestGateway();
    untilTestEnds(() => kurisu.dispose());
    await kurisu.start();
    await kurisu.say("apple of alice", { user: "alice" });
    await kurisu.say("poke a", { user: "alice" });
    await kurisu.say("apple of bob", { user: "bob" });
    const server = await startConsoleBeside(kurisu, { page: findPageFiles() });
    const origin = `http://127.0.0.1:${server.port}`;
    const { complaints, findBarriers, page } = await openBrowser(origin);
    const [name = "", value = ""] = (await server.addLogin("owner")).split("=");
    await page.context().addCookies([{ name, value, url: origin }]);
    await page.goto(`${origin}/console/chats/${encodeURIComponent("fake:bot:alice")}`);
    await page.getByText("apple of alice").first().waitFor();
    await page.locator("details.menu summary").click();
    await page.getByRole("button", { name: "删掉这个对话…" }).click();
    const remove = page.getByRole("button", { name: "删掉", exact: true });
    await page.getByRole("textbox", { name: /要删就输入名字/ }).fill("bob");
    expect(await remove.isDisabled()).toBe(true);
    await page.getByRole("textbox", { name: /要删就输入名字/ }).fill("alice");
    expect(await findBarriers()).toEqual([]);
    await remove.click();
    await page.getByText("她在这里还有事").waitFor();

    await kurisu.press(kurisu.lastPrompt(), "reject", { user: "alice" });
    await remove.click();
    await expect.poll(() => page.evaluate("location.pathname")).toBe("/console/chats");
    // It is still there, empty.
    await expect.poll(() => page.locator(".chats li").last().innerText()).toMatch(/^alice\n\d+:\d+$/);
    expect(complaints).toEqual([]);
  });
});

import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { probeOneBot } from "../../../src/channels/onebot/probe-onebot.ts";
import { startFakeOneBot } from "../../support/onebot/fake-onebot.ts";

const log = pino({ level: "silent" });

describe("the doctor's look at QQ", () => {
  it("names the account, and leaves no connection behind", async () => {
    await using fake = await startFakeOneBot({ nickname: "红莉栖" });
    const probe = await probeOneBot({ url: fake.url, accessToken: fake.token, log });
    expect(probe).toEqual({ state: "ok", detail: `红莉栖 (${fake.selfId})` });
    await expect.poll(() => fake.connections()).toEqual([]);
  });

  it.each(["napcat", "401"] as const)("names the token when it is refused (%s)", async (badToken) => {
    await using fake = await startFakeOneBot({ badToken });
    const probe = await probeOneBot({ url: fake.url, accessToken: "wrong", log });
    expect(probe).toMatchObject({ state: "broken", detail: expect.stringContaining("ONEBOT_ACCESS_TOKEN") as string });
  });

  it("tells a logged-out account, a dead server and a reverse side apart", async () => {
    await using fake = await startFakeOneBot();
    fake.setOnline(false);
    const { url, token } = fake;
    expect(await probeOneBot({ url, accessToken: token, log })).toMatchObject({
      state: "broken",
      detail: expect.stringContaining("logged out") as string,
    });
    expect(await probeOneBot({ url: "ws://127.0.0.1:9", log })).toMatchObject({
      state: "broken",
      detail: expect.stringContaining("ONEBOT_WS_URL") as string,
    });
    expect((await probeOneBot({ accessToken: token, log })).state).toBe("warning");
  });
});

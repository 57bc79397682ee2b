import { expect, it } from "vitest";
import type { ChannelNews } from "../../src/channels/channel-health.ts";
import { describeChannel, followChannels } from "../../src/cli/follow-channels.ts";
import { wordsFor } from "../../src/core/words/words.ts";
import type { Readiness } from "../../src/kernel/http/mount-readiness.ts";

it.each<readonly [ChannelNews | undefined, string]>([
  [undefined, "the detail"],
  [{ kind: "connecting" }, "连接中……"],
  [{ kind: "waiting", at: "ws://127.0.0.1:1/x" }, "在等 NapCat（或 LLBot）连到 ws://127.0.0.1:1/x"],
  [{ kind: "connected", as: "@k (1)", at: "https://x/y" }, "已连上：@k (1)；消息发到 https://x/y"],
  [
    { kind: "connected", as: "@k (1)", misses: "groups" },
    "已连上：@k (1)；隐私模式开着，群里只看得到命令、@ 和回复，不碍事",
  ],
  [{ kind: "serving", model: "kurisu" }, "已开启：模型 kurisu，地址 /v1"],
])("%j is shown as %s", (news, shown) => {
  expect(describeChannel({ detail: "the detail", ...(news && { news }) }, wordsFor("zh"))).toBe(shown);
});

it("tells of a channel once, when it is ready or has failed, and ends with the last of them", async () => {
  const starting: Readiness = { state: "starting", since: 0, detail: "" };
  const ready: Readiness = { state: "ready", since: 0, detail: "there" };
  const failed: Readiness = { state: "failed", since: 0, detail: "no" };
  const looks = [
    { telegram: ready, qq: starting },
    { telegram: ready, qq: failed },
  ];
  const told: string[] = [];
  const readiness = async () => looks.shift() ?? {};
  const tell = (platform: string, { state }: Readiness) => void told.push(`${platform} ${state}`);
  await followChannels({ readiness }, ["telegram", "qq"], tell, new AbortController().signal);
  expect(told).toEqual(["telegram ready", "qq failed"]);
});

import { randomBytes } from "node:crypto";
import { z } from "zod";
import { channelDefinitions } from "../../channels/definitions/channel-definitions.ts";
import type { ChannelProbe } from "../../channels/define-channel.ts";
import { createLog } from "../../core/log.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { listWays } from "./ask-model.ts";
import type { Draft } from "./draft.ts";
import { maskSecret, type Prompts } from "./prompts.ts";

type Texts = Words["setup"];

/** The token of Telegram, tried at its server. */
export async function askTelegram(prompts: Prompts, draft: Draft, texts: Texts): Promise<void> {
  const known = draft.find("TELEGRAM_BOT_TOKEN");
  if (known !== undefined) {
    const way = await prompts.choose(texts.telegram, listKeeping(texts, maskSecret(known)));
    if (way === "keep") return;
    if (way === "off") return draft.set("TELEGRAM_BOT_TOKEN", undefined);
  }
  for (;;) {
    const token = await prompts.secret(texts.telegramToken, {
      check: (value) => (value === "" || /^\d+:\S{20,}$/.test(value) ? undefined : texts.noToken),
    });
    if (token === "") return draft.set("TELEGRAM_BOT_TOKEN", known);
    draft.set("TELEGRAM_BOT_TOKEN", token);
    prompts.tell(texts.trying);
    const probe = await probeChannel("telegram", draft);
    if (probe.state !== "broken") {
      const name = /^@\w+/.exec(probe.detail)?.[0] ?? probe.detail;
      const hidden = probe.detail.includes("privacy mode is on");
      return prompts.good([texts.telegramAnswers(name), ...(hidden ? [texts.privacyMode] : [])].join("\n"));
    }
    if (!(await askAgain(prompts, texts, probe))) return;
  }
}

/** QQ, one of its three ways. */
export async function askQq(prompts: Prompts, draft: Draft, texts: Texts): Promise<void> {
  const oneBot = draft.find("ONEBOT_WS_URL") ?? (draft.find("ONEBOT_ACCESS_TOKEN") && texts.qqReverse);
  const bot = draft.find("QQ_APP_ID");
  const now = [oneBot, bot].filter((name) => name !== undefined && name !== "").join(", ");
  const chosen = await prompts.choose(texts.qq, [
    ...(now === "" ? [] : [{ value: "keep", label: texts.keep(now) } as const]),
    { value: "none", label: now === "" ? texts.skip : texts.turnOff },
    { value: "forward", label: texts.qqForward, hint: "NapCat, LLBot" },
    { value: "reverse", label: texts.qqReverse, hint: "NapCat, LLBot" },
    { value: "official", label: texts.qqOfficial, hint: "q.qq.com" },
  ] as const);
  switch (chosen) {
    case "keep":
      return;
    case "none":
      for (const name of ["ONEBOT_WS_URL", "ONEBOT_ACCESS_TOKEN", "QQ_APP_ID", "QQ_APP_SECRET"])
        draft.set(name, undefined);
      return;
    case "forward":
      return askForward(prompts, draft, texts);
    case "reverse":
      return askReverse(prompts, draft, texts);
    case "official":
      return askOfficial(prompts, draft, texts);
  }
}

async function askForward(prompts: Prompts, draft: Draft, texts: Texts): Promise<void> {
  for (;;) {
    const url = await prompts.text(texts.qqAddress, {
      initial: draft.find("ONEBOT_WS_URL") ?? "ws://127.0.0.1:3001",
      check: (value) => (/^wss?:\/\/[^\s/]+/.test(value) ? undefined : texts.noWsAddress),
    });
    draft.set("ONEBOT_WS_URL", url);
    const token = await askSecret(prompts, draft, texts, { name: "ONEBOT_ACCESS_TOKEN", asked: texts.qqToken });
    if (token !== "") draft.set("ONEBOT_ACCESS_TOKEN", token);
    if (await tryChannel(prompts, draft, texts, "onebot")) return;
  }
}

async function askReverse(prompts: Prompts, draft: Draft, texts: Texts): Promise<void> {
  const known = draft.find("ONEBOT_ACCESS_TOKEN");
  const port = draft.values()["KURISU_PORT"] ?? "10485";
  draft.set("ONEBOT_WS_URL", undefined);
  draft.set("ONEBOT_ACCESS_TOKEN", known ?? randomBytes(24).toString("hex"));
  const token = draft.find("ONEBOT_ACCESS_TOKEN") ?? "";
  // It must be written down in NapCat, so this one is shown whole.
  prompts.note(texts.qqReverseHow({ address: `ws://127.0.0.1:${port}/onebot/v11/ws`, token }), texts.qqReverse);
}

async function askOfficial(prompts: Prompts, draft: Draft, texts: Texts): Promise<void> {
  for (;;) {
    const id = await prompts.text(texts.qqAppId, {
      initial: draft.find("QQ_APP_ID") ?? "",
      check: (value) => (/^[\w-]{1,64}$/.test(value) ? undefined : texts.noAppId),
    });
    draft.set("QQ_APP_ID", id);
    const secret = await askSecret(prompts, draft, texts, { name: "QQ_APP_SECRET", asked: texts.qqAppSecret });
    if (secret !== "") draft.set("QQ_APP_SECRET", secret);
    if (await tryChannel(prompts, draft, texts, "qq")) return;
  }
}

/** Empty = the one that is known stays. */
function askSecret(
  prompts: Prompts,
  draft: Draft,
  texts: Texts,
  { name, asked }: { readonly name: string; readonly asked: string },
): Promise<string> {
  const known = draft.find(name);
  return prompts.secret(known === undefined ? asked : texts.keyKept(maskSecret(known)), {
    check: (value) =>
      /\s/.test(value)
        ? texts.noWhiteSpace
        : value === "" && known === undefined && name === "QQ_APP_SECRET"
          ? texts.keyMissing
          : undefined,
  });
}

/** False when the answers are to be given again. */
async function tryChannel(prompts: Prompts, draft: Draft, texts: Texts, name: string): Promise<boolean> {
  prompts.tell(texts.trying);
  const probe = await probeChannel(name, draft);
  if (probe.state === "broken") return !(await askAgain(prompts, texts, probe));
  prompts.good(texts.channelAnswers(probe.detail));
  return true;
}

async function askAgain(prompts: Prompts, texts: Texts, { detail }: ChannelProbe): Promise<boolean> {
  const isRefused = /\b401\b|refused the token/.test(detail);
  prompts.warn(`${isRefused ? texts.tokenRefused : texts.channelFailed}\n(${detail})`);
  return (await prompts.choose(texts.whatNow, listWays(texts))) === "again";
}

function listKeeping(texts: Texts, now: string) {
  return [
    { value: "keep", label: texts.keep(now) },
    { value: "change", label: texts.change },
    { value: "off", label: texts.turnOff },
  ] as const;
}

/** As the doctor asks, with the answers so far and else the defaults of channels.yaml. */
async function probeChannel(name: string, draft: Draft): Promise<ChannelProbe> {
  const channel = channelDefinitions.find((one) => one.name === name);
  const values = channel && z.object(channel.environment).safeParse(draft.values());
  if (channel === undefined || !values?.success)
    return { state: "broken", detail: values?.error ? z.prettifyError(values.error) : name };
  const { enabled: _, ...options } = channel.options.parse({});
  const settings = channel.configure(options, values.data);
  if (settings === undefined) return { state: "broken", detail: name };
  return channel.doctor(settings, createLog({ level: "silent", secrets: [] }));
}

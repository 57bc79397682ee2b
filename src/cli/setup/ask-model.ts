import { z } from "zod";
import type { Words } from "../../core/words/dictionary.ts";
import { findVariable, modelProviders, providerNames, type ProviderName } from "../../models/model-providers.ts";
import { tryModel } from "../../models/try-model.ts";
import { resolveOllamaUrl } from "../../models/providers/find-ollama-model.ts";
import { askEndpoint } from "../../web/ask-endpoint.ts";
import type { Draft } from "./draft.ts";
import { modelPresets, type ModelPreset } from "./model-presets.ts";
import { maskSecret, type Prompts } from "./prompts.ts";
import { tellAbilities } from "./tell-abilities.ts";

type Texts = Words["setup"];

/** The model that answers: a preset, its key and its name, tried before they are saved. */
export async function askModel(prompts: Prompts, draft: Draft, texts: Texts): Promise<void> {
  const now = describeNow(draft);
  const options = [
    ...(now === undefined ? [] : [{ value: "keep", label: texts.keep(now) }]),
    ...modelPresets.map(({ id, name, baseUrl }) => ({
      value: id,
      label: id === "other" ? texts.otherServer : name,
      ...(baseUrl !== undefined && { hint: new URL(baseUrl).host }),
    })),
    { value: "offline", label: texts.offline, hint: texts.offlineHint },
  ];
  const chosen = await prompts.choose(texts.model, options);
  if (chosen === "keep") return;
  // Without KURISU_MODEL a key that comes later is used.
  if (chosen === "offline") return draft.set("KURISU_MODEL", hasKey(draft) ? "offline" : undefined);
  const preset = modelPresets.find(({ id }) => id === chosen);
  if (preset === undefined) return;
  for (;;) {
    await askPreset(prompts, draft, texts, preset);
    prompts.tell(texts.trying);
    const server = {
      model: nameModel(draft, preset.provider),
      credentials: readCredentials(draft, preset.provider),
      maxMs: 30_000,
    };
    const tried = await tryModel(server);
    if (tried.kind === "answered") {
      prompts.good(texts.modelAnswers((tried.milliseconds / 1000).toFixed(1)));
      if (await tellAbilities(prompts, texts.abilities, server)) return;
      const ways = [
        { value: "other", label: texts.abilities.choose },
        { value: "on", label: texts.goOn },
      ] as const;
      return (await prompts.choose(texts.whatNow, ways)) === "on" ? undefined : askModel(prompts, draft, texts);
    }
    const lists = tried.code === "MODEL_NOT_FOUND" ? await listModels(draft, preset.provider) : [];
    const why = { ...texts.modelFailed }[tried.code as keyof Texts["modelFailed"]] ?? texts.modelFailed.other;
    prompts.warn(
      [why, `(${tried.detail})`, ...(lists.length > 0 ? [texts.thereAre(lists.join(", "))] : [])].join("\n"),
    );
    if ((await prompts.choose(texts.whatNow, listWays(texts))) === "on") return;
  }
}

/** The ways on after a failed test. */
export function listWays(texts: Texts) {
  return [
    { value: "again", label: texts.again },
    { value: "on", label: texts.goOn },
  ] as const;
}

function describeNow(draft: Draft): string | undefined {
  const model = draft.find("KURISU_MODEL");
  const key = Object.keys(modelProviders).map((name) => findVariable(name as ProviderName, "KEY") ?? "");
  const base = draft.find("OPENAI_BASE_URL");
  const named = model ?? key.find((name) => draft.find(name) !== undefined);
  if (named === undefined) return undefined;
  return base !== undefined && named.startsWith("openai:") ? `${named} (${URL.parse(base)?.host ?? base})` : named;
}

async function askPreset(prompts: Prompts, draft: Draft, texts: Texts, preset: ModelPreset): Promise<void> {
  const { provider, keysAt } = preset;
  const urlVariable = findVariable(provider, "URL");
  const keyVariable = findVariable(provider, "KEY");
  const before = urlVariable && draft.find(urlVariable);
  if (preset.id === "other") {
    const url = await prompts.text(texts.baseUrl, {
      initial: before ?? "",
      placeholder: "https://llm.example/v1",
      check: (value) => (/^https?:\/\/[^\s/]+/.test(value) ? undefined : texts.noAddress),
    });
    draft.set("OPENAI_BASE_URL", url.replace(/\/+$/, ""));
  } else if (preset.id === "ollama") {
    const host = await prompts.text(texts.ollamaHost, {
      initial: draft.find("OLLAMA_HOST") ?? "",
      placeholder: "127.0.0.1:11434",
    });
    draft.set("OLLAMA_HOST", host === "" ? undefined : host);
  } else if (urlVariable !== undefined) draft.set(urlVariable, preset.baseUrl);
  if (keyVariable !== undefined) {
    // The key of one service is not sent to another.
    const isSame = urlVariable === undefined || before === draft.find(urlVariable);
    const known = isSame ? draft.find(keyVariable) : undefined;
    const isNeeded = known === undefined && preset.id !== "other";
    const asked = known === undefined ? texts.key(keysAt ?? "") : texts.keyKept(maskSecret(known));
    const key = await prompts.secret(preset.id === "other" && known === undefined ? texts.keyIfAny : asked, {
      check: (value) =>
        /\s/.test(value) ? texts.noWhiteSpace : isNeeded && value === "" ? texts.keyMissing : undefined,
    });
    if (key !== "") draft.set(keyVariable, key);
    else if (known === undefined) draft.set(keyVariable, undefined);
  }
  const name = await prompts.text(texts.modelName, {
    initial: await suggestName(draft, preset),
    check: (value) => (value === "" || /[\s,]/.test(value) ? texts.noModelName : undefined),
  });
  draft.set("KURISU_MODEL", `${provider}:${name}`);
}

async function suggestName(draft: Draft, { id, provider, model }: ModelPreset): Promise<string> {
  const written = draft.find("KURISU_MODEL") ?? "";
  const name = written.startsWith(`${provider}:`) && !written.includes(",") ? written.slice(provider.length + 1) : "";
  const isChosen = draft.changes.has("KURISU_MODEL") || !draft.changes.has(findVariable(provider, "URL") ?? "");
  if (name !== "" && isChosen) return name;
  if (id === "other") return "";
  const usual = model ?? modelProviders[provider].defaultModel;
  return usual ?? (await modelProviders[provider].findModel?.(readCredentials(draft, provider)[provider])) ?? "";
}

function nameModel(draft: Draft, provider: ProviderName) {
  return { provider, name: (draft.find("KURISU_MODEL") ?? "").slice(provider.length + 1) };
}

function readCredentials(draft: Draft, provider: ProviderName) {
  const values = z.object(modelProviders[provider].environment).safeParse(draft.values());
  const credentials = values.success ? modelProviders[provider].readCredentials(values.data) : undefined;
  return credentials === undefined ? {} : { [provider]: credentials };
}

function hasKey(draft: Draft): boolean {
  return providerNames.some((provider) => readCredentials(draft, provider)[provider]?.apiKey !== undefined);
}

const maxListed = 8;

/** The first names that a server lists, for a user who entered one that it does not know. */
async function listModels(draft: Draft, provider: ProviderName): Promise<readonly string[]> {
  if (provider === "anthropic") return [];
  const { apiKey, baseUrl } = readCredentials(draft, provider)[provider] ?? {};
  const base = provider === "ollama" ? `${resolveOllamaUrl(baseUrl)}/v1` : (baseUrl ?? "https://api.openai.com/v1");
  const url = URL.parse(`${base}/models`);
  if (url === null) return [];
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const answer = await askEndpoint({ url, method: "GET", headers, signal: AbortSignal.timeout(10_000) });
  if (answer.kind === "failed" || answer.status !== 200) return [];
  const listed = z.object({ data: z.array(z.object({ id: z.string() })) }).safeParse(answer.body);
  return (listed.data?.data ?? []).slice(0, maxListed).map(({ id }) => id);
}

import type { Language } from "../../core/conversation.ts";
import { resolveZone } from "../../core/schedule/zoned-time.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { SandboxStatus } from "../../sandbox/types.ts";
import type { Draft } from "./draft.ts";
import type { Prompts } from "./prompts.ts";

type Texts = Words["setup"];

/** Her owner: the first person with the code of the start screen, or a person whose id is known. */
export async function askOwner(prompts: Prompts, draft: Draft, texts: Texts): Promise<void> {
  const known = draft.find("KURISU_OWNERS");
  const chosen = await prompts.choose(texts.owner, [
    ...(known === undefined ? [] : [{ value: "keep", label: texts.keep(known) } as const]),
    { value: "code", label: texts.ownerByCode, hint: texts.ownerByCodeHint },
    { value: "id", label: texts.ownerById },
  ] as const);
  if (chosen === "code") draft.set("KURISU_OWNERS", undefined);
  if (chosen !== "id") return;
  const check = (value: string) =>
    /^(?:telegram|qq|qqbot|cli|console|api):\S+$/.test(value) ? undefined : texts.noOwner;
  const ids = await prompts.text(texts.ownerIds, {
    initial: known ?? "",
    placeholder: "telegram:123456789",
    check: (value) =>
      value
        .split(",")
        .map((one) => check(one.trim()))
        .find((fault) => fault !== undefined),
  });
  draft.set("KURISU_OWNERS", ids);
}

const defaultZones: Readonly<Record<Language, string>> = { zh: "Asia/Shanghai", en: "UTC", ja: "Asia/Tokyo" };

/** Servers run on UTC wherever their people are. Elsewhere the clock of the machine is right, and is not asked about. */
export async function askZone(
  prompts: Prompts,
  draft: Draft,
  texts: Texts,
  { language, present }: { readonly language: Language; readonly present: string },
): Promise<void> {
  if (draft.values()["TZ"] !== undefined || !/^(?:Etc\/)?(?:UTC|UCT|GMT|Universal|Zulu|Unknown)$/i.test(present))
    return;
  const zone = await prompts.text(texts.zone, {
    initial: defaultZones[language],
    // An offset would count the other way in programs that read TZ.
    check: (value) => (/^[a-z]/i.test(resolveZone(value) ?? "") ? undefined : texts.noZone),
  });
  draft.set("TZ", resolveZone(zone));
}

/** Whether commands can run, and what to do where they cannot. */
export async function askSandbox(
  prompts: Prompts,
  texts: Texts,
  parts: {
    /** Undefined when the configuration has faults, so nothing can be said. */
    readonly look: () => Promise<SandboxStatus | undefined>;
    readonly describe: (status: SandboxStatus) => string;
    /** Builds the image in this terminal; undefined when there is no checkout to build it from. */
    readonly build: (() => Promise<boolean>) | undefined;
  },
): Promise<void> {
  const status = await parts.look();
  if (status === undefined) return prompts.warn(texts.sandboxUnknown);
  if (status.state === "ready") return prompts.good(texts.sandboxReady(parts.describe(status)));
  prompts.warn(texts.sandboxMissing(parts.describe(status)));
  if (status.state !== "image-missing") return;
  if (parts.build === undefined) return prompts.tell(texts.imageElsewhere);
  if (!(await prompts.confirm(texts.buildImage, false))) return;
  if (await parts.build()) prompts.good(texts.imageBuilt);
  else prompts.warn(texts.imageFailed);
}

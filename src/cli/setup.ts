import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Language } from "../core/conversation.ts";
import { AppError, describeError } from "../core/errors.ts";
import { isCheckout, kurisuCommand } from "../core/kurisu-command.ts";
import { projectFolder } from "../core/project-folder.ts";
import { languageOfTerminal } from "../core/words/detect-language.ts";
import { wordsFor } from "../core/words/words.ts";
import { describeSandbox } from "../kernel/http/readiness.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import { askQq, askTelegram } from "./setup/ask-channels.ts";
import { askModel } from "./setup/ask-model.ts";
import { askOwner, askSandbox, askZone } from "./setup/ask-rest.ts";
import { buildImage, findImageBuilder } from "./setup/build-image.ts";
import { createDraft, writeEnvFile, type Draft } from "./setup/draft.ts";
import { editEnvFile } from "./setup/edit-env-file.ts";
import { maskSecret, openPrompts, SetupCancelled, type Prompts } from "./setup/prompts.ts";
import type { Command, CommandContext } from "./types.ts";

const help = `${kurisuCommand} setup

Asks which model answers, for the tokens of Telegram and QQ and who owns her, tries them, shows what it will write, and
writes it to .env beside the config folder, for you alone to read. Other lines of that file stay as they are. It can run
again: Enter keeps what is set. A new model is asked three or four short things, which costs a few tokens. Ctrl-C leaves
at any question, and nothing is changed. It needs a terminal; without one, copy .env.example to .env and fill it in.`;

export const setupCommand: Command = {
  name: "setup",
  help,
  async run(context) {
    readOptions("setup", context.arguments, {});
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      const example = isCheckout(projectFolder) ? ".env.example" : join(projectFolder, ".env.example");
      const remedy = `Run it in one, or copy ${example} to .env, fill it in and \`chmod 600 .env\``;
      throw new AppError("USAGE", `${kurisuCommand} setup asks questions, and this is no terminal. ${remedy}.`);
    }
    const { envFile, own } = context.environment;
    const before = readText(envFile);
    const draft = createDraft(parseEnv(before), own);
    let language: Language = languageOf(draft.find("KURISU_LANGUAGE")) ?? languageOfTerminal(own);
    const texts = () => wordsFor(language).setup;
    const prompts = await openPrompts(texts);
    try {
      prompts.begin("Kurisu");
      language = await prompts.choose<Language>(texts().language, languages, language);
      draft.set("KURISU_LANGUAGE", language);
      prompts.tell(texts().keys);
      await askModel(prompts, draft, texts());
      await askTelegram(prompts, draft, texts());
      await askQq(prompts, draft, texts());
      await askOwner(prompts, draft, texts());
      await askZone(prompts, draft, texts(), { language, present: findZone(context) });
      await askSandbox(prompts, texts(), lookAtSandbox(context, language));
      if (!(await review(prompts, draft, context, language))) throw new SetupCancelled();
    } catch (error) {
      if (!(error instanceof SetupCancelled)) throw error;
      prompts.end(texts().cancelled);
      return 1;
    }
    if (draft.changes.size > 0 || isOpenToOthers(envFile)) {
      const old = before === "" ? `${texts().fileHead(kurisuCommand)}\n` : before;
      writeEnvFile(envFile, editEnvFile(old, draft.changes));
    }
    prompts.end(texts().done(isCheckout(projectFolder) ? "npm start" : `${kurisuCommand} start`));
    return 0;
  },
};

const languages = [
  { value: "zh", label: "中文" },
  { value: "en", label: "English" },
  { value: "ja", label: "日本語" },
] as const;

function languageOf(value: string | undefined): Language | undefined {
  return languages.find((one) => one.value === value)?.value;
}

/** Shows every line that would change, keys masked, and asks. */
async function review(
  prompts: Prompts,
  draft: Draft,
  { environment: { envFile, own } }: CommandContext,
  language: Language,
): Promise<boolean> {
  const texts = wordsFor(language).setup;
  if (draft.changes.size === 0 && !isOpenToOthers(envFile)) {
    prompts.tell(texts.nothingToDo(envFile));
    return true;
  }
  const lines = [...draft.changes].map(([name, value]) =>
    value === undefined ? `- ${name}` : `${name}=${isSecret(name) ? maskSecret(value) : value}`,
  );
  prompts.note([...lines, ...(lines.length > 0 ? [""] : []), texts.onlyYours].join("\n"), envFile);
  const hidden = [...draft.changes.keys()].filter((name) => own[name] !== undefined && own[name] !== draft.find(name));
  if (hidden.length > 0) prompts.warn(texts.environmentWins(hidden.join(", ")));
  return prompts.confirm(texts.write);
}

function isSecret(name: string): boolean {
  return /(?:TOKEN|SECRET|PASSWORD|KEY)$/.test(name);
}

function lookAtSandbox(context: CommandContext, language: Language): Parameters<typeof askSandbox>[2] {
  const script = findImageBuilder(projectFolder);
  return {
    async look() {
      try {
        const { sandbox } = await context.inspect(context.configuration());
        try {
          return await sandbox.examine();
        } finally {
          await sandbox.stop();
        }
      } catch {
        // The configuration may have a fault that these very answers mend; the doctor reports it.
        return undefined;
      }
    },
    describe: (status) => describeSandbox(status, wordsFor(language)),
    build: script === undefined ? undefined : async () => buildImage(script, context.environment.all),
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new AppError("CONFIG_INVALID", `${file} cannot be read: ${describeError(error)}`, { cause: error });
  }
}

/** The zone of channels.yaml, of TZ, or of the machine. */
function findZone(context: CommandContext): string {
  try {
    return context.configuration().zone;
  } catch {
    // Settings with a fault, which the doctor reports.
    return new Intl.DateTimeFormat().resolvedOptions().timeZone;
  }
}

function isOpenToOthers(file: string): boolean {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o077) !== 0;
}

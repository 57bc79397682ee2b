import { isWritable } from "./edit-env-file.ts";
import type { Words } from "../../core/words/dictionary.ts";

/** The user pressed Ctrl-C or Escape at a question. */
export class SetupCancelled extends Error {
  override readonly name = "SetupCancelled";
}

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** The questions of the set-up, in a terminal. Each throws SetupCancelled when the user leaves. */
export interface Prompts {
  choose<Value extends string>(message: string, options: readonly Choice<Value>[], first?: Value): Promise<Value>;
  /** Trimmed. */
  text(message: string, how?: TextHow): Promise<string>;
  /** The same, shown as dots. */
  secret(message: string, how?: Pick<TextHow, "check">): Promise<string>;
  confirm(message: string, first?: boolean): Promise<boolean>;
  good(text: string): void;
  warn(text: string): void;
  tell(text: string): void;
  note(text: string, title: string): void;
  begin(title: string): void;
  end(text: string): void;
}

interface TextHow {
  readonly initial?: string;
  readonly placeholder?: string;
  /** The fault of an answer; undefined when there is none. */
  readonly check?: (value: string) => string | undefined;
}

/** `words` are those of the language that was chosen, which is the first question. */
export async function openPrompts(words: () => Words["setup"]): Promise<Prompts> {
  const clack = await import("@clack/prompts");

  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  // When the terminal is gone no key comes any more, and nothing else keeps the program running.
  process.once("beforeExit", () => ended.reject(new SetupCancelled()));

  async function taken<Value>(asked: Promise<Value | typeof clack.CANCEL_SYMBOL>): Promise<Value> {
    const answer = await Promise.race([asked, ended.promise]);
    if (clack.isCancel(answer)) throw new SetupCancelled();
    return answer;
  }
  const validate =
    (check: TextHow["check"]) =>
    (value: string | undefined = "") => {
      const trimmed = value.trim();
      if (!isWritable(trimmed)) return words().notWritable;
      return check?.(trimmed);
    };

  return {
    async choose(message, options, first) {
      const answer = clack.select<string>({
        message,
        options: options.map((option) => ({ ...option })),
        showInstructions: false,
        ...(first !== undefined && { initialValue: first }),
      });
      const chosen = await taken(answer);
      return options.find(({ value }) => value === chosen)?.value ?? (options[0] as (typeof options)[number]).value;
    },
    async text(message, { initial, placeholder, check } = {}) {
      const answer = clack.text({
        message,
        validate: validate(check),
        ...(initial !== undefined && { initialValue: initial }),
        ...(placeholder !== undefined && { placeholder }),
      });
      // An empty line has no value at all.
      return ((await taken(answer as Promise<string | undefined | typeof clack.CANCEL_SYMBOL>)) ?? "").trim();
    },
    async secret(message, { check } = {}) {
      const answer = clack.password({ message, validate: validate(check) });
      return ((await taken(answer as Promise<string | undefined | typeof clack.CANCEL_SYMBOL>)) ?? "").trim();
    },
    async confirm(message, first = true) {
      const { yes, no } = words();
      return taken(clack.confirm({ message, active: yes, inactive: no, initialValue: first }));
    },
    good: (text) => clack.log.success(text),
    warn: (text) => clack.log.warn(text),
    tell: (text) => clack.log.info(text),
    note: (text, title) => clack.note(text, title, { format: (line) => line }),
    begin: (title) => clack.intro(title),
    end: (text) => clack.outro(text),
  };
}

/** Enough to know a key again, and too little to use it. */
export function maskSecret(value: string): string {
  return value.length < 16 ? "••••••" : `${value.slice(0, 3)}…${value.slice(-4)}`;
}

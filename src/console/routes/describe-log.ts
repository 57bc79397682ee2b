import { makeVisible } from "../../core/persona/show-payload.ts";
import { parseJson } from "../../core/parse-json.ts";
import { isJsonObject } from "../../core/is-json-object.ts";
import type { LogLine } from "../../core/log-ring.ts";
import { logLevels, type LogLineView } from "../views/system-views.ts";

const maxText = 2_000;
const maxMore = 6_000;
/** The fields that name the part that wrote a line. */
const partFields = ["platform", "channel", "part", "server", "skill"] as const;
const ownFields: ReadonlySet<string> = new Set(["level", "time", "msg", "session", "err"]);

/** A line of the log as the page shows it. A line that was cut is shown as it is. */
export function describeLine({ number, text }: LogLine, now: number): LogLineView {
  const found = parseJson(text);
  if (!isJsonObject(found)) return { number, at: now, level: "info", text: cut(text, maxText) };
  const name = partFields.find((field) => textOf(found[field]) !== "");
  const more = Object.entries(found)
    .filter(([field]) => !ownFields.has(field) && field !== name)
    .map(([field, value]) => `${field}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  const fault = describeFault(found["err"]);
  const all = [...more, ...(fault === undefined ? [] : [fault])].join("\n");
  const session = textOf(found["session"]);
  return {
    number,
    at: Date.parse(textOf(found["time"])) || now,
    level: logLevels.find((level) => level === found["level"]) ?? "info",
    text: cut(textOf(found["msg"]), maxText),
    ...(name !== undefined && { part: cut(textOf(found[name]), 80) }),
    ...(session !== "" && { session: makeVisible(session) }),
    ...(all !== "" && { more: cut(all, maxMore) }),
  };
}

function describeFault(fault: unknown): string | undefined {
  if (!isJsonObject(fault)) return undefined;
  const { message, stack } = fault;
  if (typeof stack === "string") return stack;
  return typeof message === "string" ? message : JSON.stringify(fault);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const cut = (text: string, maxLength: number): string =>
  makeVisible(text.length > maxLength ? `${text.slice(0, maxLength - 1).toWellFormed()}…` : text);

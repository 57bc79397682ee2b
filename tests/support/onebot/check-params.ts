import { OneBotRefusal, type FakeParams } from "./onebot-types.ts";

/** Reading of call parameters; what has the wrong type is refused with 1400, as a schema would. */

/** QQ numbers, group numbers and message ids go as numbers (the standard) or as strings of digits (NapCat's schemas). */
export function readId(params: FakeParams, name: string): number {
  const id = readOptionalId(params, name);
  if (id === undefined) throw new OneBotRefusal(1400, `Key: ${name}, Message: Expected required property`);
  return id;
}

export function readOptionalId(params: FakeParams, name: string): number | undefined {
  const value = params[name];
  if (value === undefined) return undefined;
  const id = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof id !== "number" || !Number.isSafeInteger(id)) {
    throw new OneBotRefusal(1400, `Key: ${name}, Message: Expected string`);
  }
  return id;
}

/** Only a string of digits will do. */
export function readStringId(params: FakeParams, name: string): number {
  if (typeof params[name] !== "string") throw new OneBotRefusal(1400, `Key: ${name}, Message: Expected string`);
  return readId(params, name);
}

export function readNumber(params: FakeParams, name: string, fallback?: number): number {
  const value = params[name] ?? fallback;
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new OneBotRefusal(1400, `Key: ${name}, Message: Expected number`);
  }
  return value;
}

export function readBoolean(params: FakeParams, name: string, fallback: boolean): boolean {
  const value = params[name] ?? fallback;
  if (typeof value !== "boolean") throw new OneBotRefusal(1400, `Key: ${name}, Message: Expected boolean`);
  return value;
}

import type { JsonObject } from "../../src/core/conversation.ts";

interface Wrong {
  readonly given: JsonObject;
  /** The argument that is wrong. */
  readonly about: string;
}

interface Rules {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Arguments that break one rule of a tool's JSON Schema each; `right` is a call that keeps to all of them. */
export function listWrongArguments(schema: JsonObject, right: JsonObject): readonly Wrong[] {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Rules>>;
  const required = (schema["required"] ?? []) as readonly string[];
  const missing = required.map((about) => {
    const { [about]: _, ...given } = right;
    return { about, given };
  });
  const broken = Object.entries(properties).flatMap(([about, rules]) =>
    listBroken(rules).map((value) => ({ about, given: { ...right, [about]: value } as JsonObject })),
  );
  return [...missing, ...broken];
}

function listBroken({ type, enum: values, minimum, maximum, minLength, maxLength }: Rules): readonly unknown[] {
  return [
    null,
    { a: 1 },
    type === "string" ? 7 : "seven",
    ...(type === "integer" ? [1.5] : []),
    ...(values ? [`${values[0]}x`] : []),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [maximum + 1]),
    ...(minLength === undefined ? [] : [""]),
    ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1)]),
  ];
}

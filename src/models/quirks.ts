/** Known refusals of one model of one server, learnt from its answers. Kept while the process runs. */
export interface Quirks {
  /** Parameters and message fields that are left out: `stream_options`, `reasoning_content`, … */
  readonly omitted: ReadonlySet<string>;
  /** Tools whose schema it refuses. */
  readonly refusedTools: ReadonlySet<string>;
  /** How many tools it takes; 0 = none. */
  readonly maxTools?: number;
  readonly maxMessages?: number;
  /** Estimated tokens of messages and tools. */
  readonly maxPromptTokens?: number;
  /** Tokens of an answer; of the very next one. */
  readonly maxOutputTokens?: number;
  readonly outputOnce?: number;
  /** User and assistant must take turns. */
  readonly alternates?: true;
  /** Content is a string, never a list of parts. */
  readonly textOnly?: true;
  /** A message with calls and without words has no content, rather than an empty one. */
  readonly nullContent?: true;
  /** It knows no system message. */
  readonly foldsSystem?: true;
  /** Fields that each message with calls must have, if only empty. */
  readonly demanded: ReadonlySet<string>;
  /**
   * Calls that are rendered as text: those without the fields this server demands, those of a request without tools, or
   * all.
   */
  readonly toldCalls?: "foreign" | "toolless" | "all";
  /** It refuses what it sent before (a signature that is no longer valid). */
  readonly forgets?: true;
}

export const noQuirks: Quirks = { omitted: new Set(), refusedTools: new Set(), demanded: new Set() };

/** For `doctor` and `/status`: what the person who set it up should know. "" = nothing is missing. */
export function describeQuirks({ maxTools, refusedTools }: Quirks): string {
  const parts = [
    ...(maxTools === 0 ? ["without tools, which it does not take"] : []),
    ...(maxTools !== undefined && maxTools > 0 ? [`with ${maxTools} tools at most`] : []),
    ...(refusedTools.size > 0 ? [`without ${[...refusedTools].join(", ")}, whose schema it refuses`] : []),
  ];
  return parts.join("; ");
}

/** Joins what two requests have learnt at the same time. */
export function joinQuirks(one: Quirks, other: Quirks): Quirks {
  const { outputOnce: _once, ...lasting } = { ...one, ...other };
  const least = (key: "maxTools" | "maxMessages" | "maxPromptTokens" | "maxOutputTokens") => {
    const known = [one[key], other[key]].filter((value) => value !== undefined);
    return known.length === 0 ? {} : { [key]: Math.min(...known) };
  };
  return {
    ...lasting,
    ...least("maxTools"),
    ...least("maxMessages"),
    ...least("maxPromptTokens"),
    ...least("maxOutputTokens"),
    omitted: new Set([...one.omitted, ...other.omitted]),
    refusedTools: new Set([...one.refusedTools, ...other.refusedTools]),
    demanded: new Set([...one.demanded, ...other.demanded]),
  };
}

/** For the log: what was learnt from a refusal. */
export function describeLearnt(before: Quirks, after: Quirks): string {
  const added = (name: "omitted" | "refusedTools" | "demanded"): string =>
    [...after[name]].filter((one) => !before[name].has(one)).join(", ");
  const changed = Object.entries(after).filter(
    ([key, value]) => !(value instanceof Set) && value !== before[key as keyof Quirks],
  );
  const lists = [
    ["left out", added("omitted")],
    ["tools left out", added("refusedTools")],
    ["given empty", added("demanded")],
  ];
  return [
    ...lists.flatMap(([what, names]) => (names === "" ? [] : [`${what}: ${names}`])),
    ...changed.map(([key, value]) => `${key}: ${String(value)}`),
  ].join("; ");
}

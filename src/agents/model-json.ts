/** Characters that are not seen or turn the order round, and the beginnings of marks that chat templates give a meaning. */
const hidden =
  /(?!\uFE0F)(?:\p{Cf}|\p{Cc}|[\u2028\u2029]|\p{Variation_Selector})|<(?=\||\/?(?:s|tool_calls?|start_of_turn|end_of_turn)>|<SYS>>)|\[(?=\/?INST\])/giu;

/**
 * JSON for a prompt, with those as escapes: the same value, but a page cannot smuggle words past a reader, or pose as the
 * template.
 */
export function toModelJson(value: object): string {
  return JSON.stringify(value).replace(hidden, (found) =>
    Array.from(
      { length: found.length },
      (_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/**
 * JSON in which control and direction characters are written as `\\uXXXX`: it means the same, and steers no terminal
 * that shows it.
 */
export function escapeControls(json: string): string {
  return json.replaceAll(
    /[\u007F-\u009F\u2028\u2029]|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

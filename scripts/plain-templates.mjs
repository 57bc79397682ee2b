import { Visitor } from "rolldown/utils";

/**
 * Writes a `String.raw` template as an ordinary one that has the same value. The minifier can escape a Chinese character in
 * that one only, and a single character that is left makes V8 hold the whole file with two bytes a character.
 */
export const plainTemplates = {
  name: "plain-templates",
  transform: {
    filter: { id: /[\\/]src[\\/].*\.ts$/, code: /String\.raw`/ },
    handler(code) {
      const edits = [];
      new Visitor({
        TaggedTemplateExpression({ tag, quasi }) {
          if (!isStringRaw(tag)) return;
          edits.push({ start: tag.start, end: quasi.start, text: "" });
          for (const piece of quasi.quasis) edits.push(escapePiece(piece, code));
        },
      }).visit(this.parse(code, { lang: "ts" }));
      return { code: applyEdits(code, edits), map: null };
    },
  },
};

const isStringRaw = ({ type, object, property, computed }) =>
  type === "MemberExpression" && !computed && object.name === "String" && property.name === "raw";

function escapePiece({ start, end, tail, value }, code) {
  // The parser counts the delimiters in: ` or } before the text, ${ or ` behind it.
  const inner = { start: start + 1, end: end - (tail ? 1 : 2) };
  const written = code.slice(inner.start, inner.end);
  if (written.replaceAll("\r\n", "\n") !== value.raw)
    throw new Error(`a template is not where it was read: ${written}`);
  return { ...inner, text: written.replace(/[\\`]|\$(?=\{)/g, String.raw`\$&`) };
}

function applyEdits(code, edits) {
  let last = 0;
  let changed = "";
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    changed += code.slice(last, start) + text;
    last = end;
  }
  return changed + code.slice(last);
}

import { isScalar, parseDocument, visit } from "yaml";

/**
 * Every text in a YAML or JSON file as its reader gets it: escapes are undone, `${NAME}` is not filled in. What cannot be
 * parsed has none, as nothing of it is ever read.
 */
export function listYamlTexts(text: string): readonly string[] {
  const document = parseDocument(text, { prettyErrors: false, stringKeys: true });
  if (document.errors.length > 0) return [];
  const texts: string[] = [];
  visit(document, (_, node) => {
    if (isScalar(node) && typeof node.value === "string") texts.push(node.value);
  });
  return texts;
}

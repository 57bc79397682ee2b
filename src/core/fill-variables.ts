/** `${VAR}` and `${VAR:-default}` in one text value; `$$` is a dollar sign. */

export type FilledText =
  | { readonly kind: "filled"; readonly text: string; readonly changed: boolean }
  | { readonly kind: "faulty"; readonly problems: readonly string[] };

const variablePattern = /\$\$|\$\{([^}]*)\}|\$\{/g;
const namePattern = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/** The default applies when the variable is unset or empty; a variable without a default must be set. */
export function fillVariables(text: string, environment: Record<string, string | undefined>): FilledText {
  const problems: string[] = [];
  const filled = text.replace(variablePattern, (whole, inside: string | undefined) => {
    if (whole === "$$") return "$";
    const parts = inside === undefined ? null : namePattern.exec(inside);
    if (parts === null) {
      problems.push("a variable is written ${NAME} or ${NAME:-default}; a dollar sign is $$");
      return "";
    }
    const [, name = "", fallback] = parts;
    const value = environment[name];
    if (value !== undefined && (value !== "" || fallback === undefined)) return value;
    if (fallback !== undefined) return fallback;
    problems.push(`the environment variable ${name} is not set`);
    return "";
  });
  if (problems.length > 0) return { kind: "faulty", problems };
  return { kind: "filled", text: filled, changed: filled !== text };
}

/** Rights by their names, as OAuth writes them: with spaces between (RFC 6749, section 3.3). */

const maxScopes = 50;
const maxScopeLength = 100;

/** Each once. Invalid and overlong scopes are left out, because a server wrote them. */
export function listScopes(text: string | undefined): readonly string[] {
  const given = (text ?? "").slice(0, maxScopes * maxScopeLength).split(" ");
  const names = given.filter((name) => name !== "" && name.length <= maxScopeLength && /^[!#-[\]-~]+$/.test(name));
  return [...new Set(names)].slice(0, maxScopes);
}

export function joinScopes(...texts: readonly (string | undefined)[]): string {
  return listScopes(texts.map((text) => listScopes(text).join(" ")).join(" ")).join(" ");
}

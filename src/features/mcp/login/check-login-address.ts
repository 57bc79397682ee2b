/** The maximum length of an address that a person may be asked to open. */
const maxAddressLength = 4_000;

export type CheckedLoginAddress =
  | { readonly ok: true; readonly url: string; readonly host: string }
  | { readonly ok: false; readonly reason: string };

/**
 * The address that a person opens to log in, as text that can neither pose as another one nor act in a shell it is pasted
 * into. The server chose it: only https, or http where the operator's own address of the server is.
 */
export function checkLoginAddress(given: URL, trusted: readonly string[]): CheckedLoginAddress {
  const { protocol, origin, hostname, username, password } = given;
  const secure = protocol === "https:" || (protocol === "http:" && trusted.includes(origin));
  if (!secure) return refuse("the address to log in at is not https");
  if (username !== "" || password !== "") return refuse("the address to log in at has a user name in it");
  if (!/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/i.test(hostname))
    return refuse("the address to log in at has characters in its host that no host has");
  // `&` must stay; other characters that a shell would act on mean the same as %XX.
  const url = given.href.replaceAll(/[^\w\-.~:/?#[\]@&+,;=%]|;/g, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
  if (url.length > maxAddressLength) return refuse("the address to log in at is too long");
  return { ok: true, url, host: given.host };
}

function refuse(reason: string): CheckedLoginAddress {
  return { ok: false, reason };
}

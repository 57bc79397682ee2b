/** The hosts of these addresses, each once; what is no address is left out. */
export function nameHosts(addresses: readonly string[]): readonly string[] {
  return [...new Set(addresses.flatMap((address) => URL.parse(address)?.host ?? []))];
}

/** A name besides the loopback ones that requests may be addressed to, such as the webhook's behind a proxy. */
export interface PublicName {
  /** As in the header `Host`: with its port, if it is no usual one. */
  readonly host: string;
  /** The only paths that the name opens; a path that ends with a slash includes every path below it. */
  readonly routes: readonly string[];
}

/** What a request to such a name may ask for; undefined = the name is none of them. */
export function createPublicNames(names: readonly PublicName[]): {
  find(host: string): ((path: string) => boolean) | undefined;
} {
  const byName = Map.groupBy(names, ({ host }) => simplify(host));
  return {
    find(host) {
      const routes = byName.get(simplify(host))?.flatMap((one) => one.routes);
      return routes && ((path) => routes.some((route) => leadsTo(route, path)));
    },
  };
}

function leadsTo(route: string, path: string): boolean {
  return route.endsWith("/") ? path.startsWith(route) : path === route;
}

/** One spelling of each name: no case, no root dot, no port that says nothing. */
function simplify(host: string): string {
  const [name = "", port = ""] = host.toLowerCase().split(/:(?=\d*$)/);
  const plain = name.endsWith(".") ? name.slice(0, -1) : name;
  return port === "" || port === "443" || port === "80" ? plain : `${plain}:${port}`;
}

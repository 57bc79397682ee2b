import { simplifyHost } from "./simplify-host.ts";

/** A host name besides the loopback ones that requests may use, such as the webhook's behind a proxy. */
export interface PublicName {
  /** As in the header `Host`, with its port unless it is 80 or 443. */
  readonly host: string;
  /** The only paths that the name opens; a path that ends with a slash includes every path below it. */
  readonly routes: readonly string[];
}

/** Returns a check of paths for a host. Returns undefined when the host is not a public name. */
export function createPublicNames(names: readonly PublicName[]): {
  find(host: string): ((path: string) => boolean) | undefined;
} {
  const byName = Map.groupBy(names, ({ host }) => simplifyHost(host));
  return {
    find(host) {
      const routes = byName.get(simplifyHost(host))?.flatMap((one) => one.routes);
      return routes && ((path) => routes.some((route) => leadsTo(route, path)));
    },
  };
}

function leadsTo(route: string, path: string): boolean {
  return route.endsWith("/") ? path.startsWith(route) : path === route;
}

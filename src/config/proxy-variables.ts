import { z } from "zod";
import type { ProxyPlace, ProxySettings } from "../web/proxy-settings.ts";

const form = "http://HOST:PORT or https://HOST:PORT";

/** An address with a password is a secret, so no fault repeats it. */
const proxyVariable = z
  .string()
  .superRefine((value, context) => {
    const refuse = (message: string): void => context.addIssue({ code: "custom", message });
    if (/^socks\w*:/i.test(value))
      return refuse(`is a SOCKS proxy, which is not followed: give an HTTP proxy (${form}), or unset it`);
    const url = URL.parse(value);
    if (!/^https?:\/\//i.test(value) || url === null || url.search !== "" || url.hash !== "" || url.pathname !== "/")
      return refuse(`must be the address of an HTTP proxy: ${form}`);
    if ([url.username, url.password].some((part) => decode(part) === undefined))
      refuse("must have the special characters of its user and password as %XX (% itself is %25)");
  })
  .meta({ sensitive: true });

/** Returns the decoded text, because the bundler removes calls whose result is unused. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** In both spellings, as in curl, which reads only the lower-case http_proxy. */
export const proxyVariables = {
  HTTP_PROXY: proxyVariable
    .optional()
    .describe(
      "HTTP proxy for http:// and ws:// addresses, and for all without HTTPS_PROXY, such as http://USER:PASSWORD@proxy.example:3128 (docs/configuration.md#proxy). Default: unset, straight to the server.",
    ),
  http_proxy: proxyVariable.optional().describe("The same; goes before HTTP_PROXY."),
  HTTPS_PROXY: proxyVariable
    .optional()
    .describe("HTTP proxy for https:// and wss:// addresses. Default: as HTTP_PROXY."),
  https_proxy: proxyVariable.optional().describe("The same; goes before HTTPS_PROXY."),
  NO_PROXY: z
    .string()
    .optional()
    .describe(
      "Addresses that are reached without the proxy, with commas between: `example.com` (with all names below it), `*.example.com` (only those), an address, HOST:PORT, or `*` for all.",
    ),
  no_proxy: z.string().optional().describe("The same; goes before NO_PROXY."),
};

/**
 * Returns undefined without a proxy. The lower-case spelling takes precedence; https falls back to the proxy of http.
 */
export function readProxySettings(values: z.output<z.ZodObject<typeof proxyVariables>>): ProxySettings | undefined {
  const find = (...names: readonly Exclude<keyof typeof proxyVariables, "NO_PROXY" | "no_proxy">[]) =>
    names.flatMap((variable): ProxyPlace[] => {
      const url = values[variable];
      return url === undefined ? [] : [{ url, variable }];
    })[0];
  const http = find("http_proxy", "HTTP_PROXY");
  const https = find("https_proxy", "HTTPS_PROXY") ?? http;
  if (https === undefined) return undefined;
  const excluded = (values.no_proxy ?? values.NO_PROXY ?? "").toLowerCase().split(/[\s,]+/);
  return { ...(http && { http }), https, excluded: excluded.filter((entry) => entry !== "") };
}

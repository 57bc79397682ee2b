import { z } from "zod";

/** Kinds of environment variables: what channels, model providers and the configuration declare theirs with. */

export const textVariable = z.string();

export const secretVariable = z
  .string()
  .regex(/^\S+$/, { error: "must not contain white space" })
  .meta({ sensitive: true });

export function addressVariable(...schemes: string[]): z.ZodString {
  return z.string().refine((value) => schemes.includes(URL.parse(value)?.protocol.slice(0, -1) ?? ""), {
    error: `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  });
}

/** The address a platform on the internet posts to: none of them does so without TLS. */
export const webhookVariable = addressVariable("https", "http")
  .refine(
    (value) => {
      const address = URL.parse(value);
      return address?.protocol !== "http:" || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(address.hostname);
    },
    { error: "must be an address that starts with https://" },
  )
  .transform((value) => value.replace(/\/+$/, ""));

/** Without the slash at its end. */
export const httpAddressVariable = addressVariable("http", "https").transform((value) => value.replace(/\/+$/, ""));

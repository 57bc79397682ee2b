import { z } from "zod";

/** `name=value,name=value`, percent-encoded, as the OpenTelemetry specification wants OTEL_EXPORTER_OTLP_HEADERS. */
export const headersVariable = z
  .string()
  .refine((text) => text.split(",").every(isHeader), {
    error: "must be a list such as authorization=Bearer%20TOKEN,x-team=lab",
  })
  .meta({ sensitive: true });

/** Values are decoded; a faulty list has none. */
export function parseHeaders(text: string): Readonly<Record<string, string>> {
  const headers = text.split(",").filter(isHeader);
  return Object.fromEntries(
    headers.map((header) => {
      const equals = header.indexOf("=");
      return [header.slice(0, equals).trim(), decodeURIComponent(header.slice(equals + 1).trim())];
    }),
  );
}

/** The values of headers that prove who sends, and the token in each. */
export function listHeaderSecrets(text: string): readonly string[] {
  return Object.entries(parseHeaders(text))
    .filter(([name]) => /auth|token|key|secret|cookie|password/i.test(name))
    .flatMap(([, value]) => [value, value.split(" ").at(-1) ?? value]);
}

function isHeader(header: string): boolean {
  // RFC 9110: a name is a token, and a value has no control characters.
  return /^\s*[\w!#$%&'*+.^`|~-]+\s*=\s*(?:%(?!0[0ad])[\da-f]{2}|[^\p{Cc}%])*$/iu.test(header) && isDecodable(header);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text.slice(text.indexOf("=") + 1));
    return true;
  } catch {
    return false;
  }
}

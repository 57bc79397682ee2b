import { isIP } from "node:net";
import { z } from "zod";

const name = z.string({ error: "must be text" }).trim().min(1, { error: "must not be empty" });

const host = name.regex(/^(?:\[[\da-f:.]+\]|[^\s/:@?#[\]]+)(?::\d{1,5})?$/i, {
  error: "must be a host name with its port, such as kurisu.example.org:8443, without http:// and without a path",
});

/** The keys of console.yaml. */
export const consoleOptions = z
  .strictObject({
    hosts: z
      .array(host)
      .prefault([])
      .describe(
        "Further names with port under which browsers reach the console, such as kurisu.example.org, without http:// and without a path.",
      ),
    proxies: z
      .array(name.refine((address) => isIP(address) !== 0, { error: "must be an IP address" }))
      .prefault([])
      .describe(
        "Addresses of reverse proxies whose X-Forwarded-Proto and X-Forwarded-For are believed, such as 127.0.0.1.",
      ),
    members: z
      .boolean({ error: "must be true or false" })
      .prefault(false)
      .describe(
        "Whether people she knows get a code for the console by /console in their private chat; they see and change their own rows only (docs/console.md#members).",
      ),
  })
  .describe("The web console (config/system/console.yaml).");

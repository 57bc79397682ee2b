import { z } from "zod";
import { durationOption } from "../../core/duration.ts";
import { secretVariable } from "../../core/variable-schemas.ts";
import { channelOptions, defineChannel } from "../define-channel.ts";

const label = z.string({ error: "must be text" }).trim().min(1, { error: "must not be empty" });
/** A file of many megabytes takes its time. */
const fileTimeoutMs = 60_000;

/** The values that the options of other platforms have for groups. */
const withoutGroups = { groups: [], mentionOnly: true, answerAll: false, observe: false };

/** The door for programs that speak OpenAI's API. Its people are names that such a program gives. */
export const api = defineChannel({
  name: "api",
  platform: "api",
  namedByClients: true,
  options: channelOptions
    .pick({ enabled: true, trusted: true })
    .extend({
      allow: z
        .array(label)
        .prefault(["*"])
        .describe("Users that clients may speak for, * = each one that they name; they are members."),
      model: label.default("kurisu").describe("Name of the model that clients ask for; any other is not found."),
      hosts: z
        .array(label)
        .prefault([])
        .describe(
          "Names with port under which clients reach a server that listens on loopback, such as host.docker.internal:10485.",
        ),
      answerWithin: durationOption
        .prefault("5m")
        .describe(
          "A request without streaming gets an answer after that time; what is done later comes with the next request.",
        ),
    })
    .transform((options) => ({ ...options, ...withoutGroups }))
    .prefault({})
    .describe("The OpenAI-compatible API; on when KURISU_API_TOKEN is set."),
  environment: {
    KURISU_API_TOKEN: secretVariable
      .min(16, { error: "must have 16 characters or more" })
      .optional()
      .describe(
        "Token that other programs show to the OpenAI-compatible API, 16 characters or more (docs/channels.md#other-programs-by-openais-api-in-four-steps). Default: unset, and the API is off.",
      ),
  },
  credentials: { variables: ["KURISU_API_TOKEN"], hint: "any secret of 16 characters or more" },
  configure(options, { KURISU_API_TOKEN: token }) {
    return token === undefined ? undefined : { ...options, token };
  },
  /** Besides /v1, the two paths of clients that left it out: they get an error that says so. */
  listPublicNames: ({ hosts }) => hosts.map((host) => ({ host, routes: ["/v1/", "/chat/completions", "/models"] })),
  async create(settings, { home, http, store, isPreviewRunning, clock, log }) {
    const { createApiChannel } = await import("./api-channel.ts");
    const { createGuardedFetch } = await import("../../web/guarded-fetch.ts");
    const fetchPublic = createGuardedFetch({ timeoutMs: fileTimeoutMs });
    return createApiChannel({
      ...settings(),
      answerWithin: () => settings().answerWithin,
      home,
      http,
      store,
      isPreviewRunning,
      fetchPublic,
      clock,
      log,
    });
  },
  async doctor({ allow, model }) {
    const whom = allow.includes("*") ? "for every user that they name" : `for ${allow.length} users`;
    return { state: "ok", detail: `/v1 has the model ${model}; clients with the token speak ${whom}` };
  },
});

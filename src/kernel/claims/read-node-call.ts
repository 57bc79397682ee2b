import type { Context } from "hono";
import type { HttpBindings } from "@hono/node-server";
import type { z } from "zod";
import { readBody } from "../../channels/read-body.ts";
import { isSameToken, readBearer } from "../../core/check-token.ts";
import { parseJson } from "../../core/parse-json.ts";

const maxBodyLength = 1024 ** 2;

/** The body that another process of the database posted, or the status that refuses it: 401, 413 or 400. */
export async function readNodeCall<Body>(
  context: Context<{ Bindings: HttpBindings }>,
  key: string,
  schema: z.ZodType<Body>,
): Promise<{ readonly body: Body } | { readonly refused: 400 | 401 | 413 }> {
  if (!isSameToken(readBearer(context.env.incoming), key)) return { refused: 401 };
  const read = await readBody(context.req.raw, maxBodyLength);
  if (read.kind !== "read") return { refused: read.kind === "too-large" ? 413 : 400 };
  const { data: body } = schema.safeParse(parseJson(read.body.toString("utf8")));
  return body === undefined ? { refused: 400 } : { body };
}

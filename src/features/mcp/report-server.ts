import { makeVisible } from "../../core/persona/show-payload.ts";
import { hashDefinition } from "./pins/read-definition.ts";
import { describeDifference } from "./pins/describe-difference.ts";
import { measureServer } from "./measure-tools.ts";
import { mendSchema } from "./schemas/mend-schema.ts";
import { describeTransport } from "./servers/describe-transport.ts";
import type { McpServer } from "./servers/types.ts";
import type { McpServerView } from "./mcp-bridge.ts";

/** A server and its tools as `kurisu mcp list --json` prints them. */
export interface McpServerReport {
  readonly server: string;
  /** The skill that brings it. */
  readonly skill?: string;
  /** Its source: config/mcp.json, .mcp.json, or a skill. */
  readonly from: string;
  /** The entry of .mcp.json that waits for approval: its SHA-256, and the JSON as it is written. */
  readonly entry?: { readonly hash: string; readonly text: string };
  /** Its command line or address. */
  readonly way: string;
  readonly state: McpServerView["state"];
  readonly detail: string;
  readonly tools: readonly {
    /** As the model calls it. */
    readonly name: string;
    readonly tool: string;
    readonly state: "trusted" | "withdrawn" | "changed" | "new" | "corrupt";
    /** For a definition that waits for approval: its SHA-256, that of the trusted one, and the difference. */
    readonly hash?: string;
    readonly was?: string;
    readonly difference?: string;
    /** Keywords of its schema that models are shown otherwise, because model servers refuse them. */
    readonly mended?: readonly string[];
  }[];
  /** About the number of tokens of its definitions if a model sees all of them. */
  readonly tokens: number;
  readonly refused: McpServerView["refused"];
}

export function reportServer(view: McpServerView): McpServerReport {
  const { server, state, detail, tools, refused } = view;
  return {
    server: server.name,
    ...(server.skill !== undefined && { skill: server.skill }),
    from: describeOrigin(server),
    ...(state === "unapproved" &&
      server.project && { entry: { hash: server.project.digest, text: makeVisible(server.project.entry) } }),
    way: describeTransport(server.transport),
    state,
    detail,
    tools: tools.map((one) => {
      const about = { name: one.fullName, tool: one.tool };
      if (one.state === "corrupt") return { ...about, state: "corrupt" };
      if (one.state === "trusted") {
        const { mended } = mendSchema(one.definition.inputSchema);
        const told = mended.length > 0 ? { mended: mended.map((keyword) => makeVisible(keyword)) } : {};
        return { ...about, state: one.withdrawn ? "withdrawn" : "trusted", ...told };
      }
      const kind = one.definition === undefined ? "new" : "changed";
      const was = one.definition && hashDefinition(one.definition);
      const difference = makeVisible(describeDifference(one));
      return { ...about, state: kind, hash: one.pendingHash, ...(was !== undefined && { was }), difference };
    }),
    tokens: measureServer(view),
    refused,
  };
}

/** The file or the skill that a server comes from. */
export function describeOrigin({ project, skill }: Pick<McpServer, "project" | "skill">): string {
  if (project !== undefined) return ".mcp.json";
  return skill === undefined ? "config/mcp.json" : `the skill ${skill}`;
}

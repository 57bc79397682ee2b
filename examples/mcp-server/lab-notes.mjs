import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

/** A notebook that any MCP client can write to and read. It forgets everything when it ends. */
const notes = [];
const server = new McpServer({ name: "lab-notes", version: "1.0.0" });

server.registerTool(
  "add_note",
  {
    description: "Adds a line to the lab notes, and answers its number.",
    inputSchema: { text: z.string().min(1).max(1000).describe("The line.") },
  },
  ({ text }) => {
    notes.push(text);
    server.sendResourceListChanged();
    return { content: [{ type: "text", text: `note ${notes.length}` }] };
  },
);

server.registerResource(
  "notes",
  "notes://all",
  { description: "All notes, numbered.", mimeType: "text/plain" },
  (address) => ({
    contents: [{ uri: address.href, text: notes.map((note, index) => `${index + 1}. ${note}`).join("\n") }],
  }),
);

// Standard output belongs to the protocol: write what you want to see to standard error.
await server.connect(new StdioServerTransport());

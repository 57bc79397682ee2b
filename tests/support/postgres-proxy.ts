import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Where a connection is cut: its COMMIT never reaches the server, or the server's answer to it never comes back. */
export type CutPlace = "before" | "after";

interface Cut {
  readonly where: CutPlace;
  /** Every one of these was said in the transaction. */
  readonly marks: readonly RegExp[];
  readonly done: () => void;
}

/** A wire between Kurisu and a real server: it reads along, and can be cut at a commit. */
export interface PostgresProxy {
  /** The database's address, through the proxy. */
  readonly url: string;
  /** The text of every statement that passed, in order. */
  readonly statements: string[];
  /**
   * Cuts once, at the next commit of a transaction with these statements, or at a single one that is all of them and commits
   * itself. Resolves when it has happened.
   */
  cutCommit(where: CutPlace, ...marks: readonly RegExp[]): Promise<void>;
  /** Breaks every connection. */
  cutAll(): void;
  /** Keeps the connections open and lets nothing through any more, as a host that is gone. */
  hang(): void;
  /** Takes no new connections, until `accept`. */
  refuse(): void;
  accept(): void;
}

export async function openPostgresProxy(target: string): Promise<PostgresProxy> {
  const server = new URL(target);
  const sockets = new Set<Socket>();
  const statements: string[] = [];
  let cut: Cut | undefined;
  let hanging = false;
  let refusing = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    // As the driver and the server do; else each of the protocol's small messages waits for the one before.
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    // A reset is what these tests are about.
    socket.on("error", () => socket.destroy());
  };
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    if (refusing) return void client.destroy();
    const database = connect(Number(server.port), server.hostname);
    keep(client);
    keep(database);
    const read = createStatementReader();
    let transaction: string[] | undefined;
    let severing = false;
    client.on("data", (chunk: Buffer) => {
      for (const { bytes, statement } of read(chunk)) {
        if (statement !== undefined) {
          statements.push(statement);
          transaction = statement === "begin" ? [] : transaction && [...transaction, statement];
        }
        if (hanging) return;
        const said = statement === "commit" || transaction === undefined ? (transaction ?? [statement ?? ""]) : [];
        if (statement === "commit" || statement === "rollback") transaction = undefined;
        const due = !severing && said.length > 0 && cut?.marks.every((mark) => said.some((one) => mark.test(one)));
        if (!due || !cut) {
          database.write(bytes);
          continue;
        }
        const { where, done } = cut;
        cut = undefined;
        const sever = (): void => {
          client.destroy();
          database.destroy();
          done();
        };
        if (where === "before") return sever();
        database.removeAllListeners("data");
        database.once("data", sever);
        // What belongs to the statement follows it.
        severing = true;
        database.write(bytes);
      }
    });
    database.on("data", (chunk: Buffer) => client.write(chunk));
    client.on("close", () => database.destroy());
    database.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, "127.0.0.1", resolve);
  });
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cutAll();
    listener.close();
  });
  const url = new URL(target);
  url.port = String(address.port);
  return {
    url: url.href,
    statements,
    cutCommit: (where, ...marks) =>
      new Promise<void>((resolve) => {
        cut = { where, marks, done: resolve };
      }),
    cutAll,
    hang() {
      hanging = true;
    },
    refuse() {
      refusing = true;
    },
    accept() {
      refusing = false;
    },
  };
}

interface ClientMessage {
  readonly bytes: Buffer;
  readonly statement?: string;
}

/** Splits what a client sends into the messages of the protocol (PostgreSQL documentation, "Message Formats"). */
function createStatementReader(): (chunk: Buffer) => ClientMessage[] {
  let rest = Buffer.alloc(0);
  const parsed = new Map<string, string>();
  let begun = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: ClientMessage[] = [];
    for (;;) {
      // The first message has no type; all have a length that counts itself.
      const header = begun ? 1 : 0;
      if (rest.length < header + 4) return messages;
      const length = header + rest.readInt32BE(header);
      if (rest.length < length) return messages;
      const bytes = rest.subarray(0, length);
      rest = rest.subarray(length);
      messages.push(begun ? { bytes, ...readStatement(bytes, parsed) } : { bytes });
      begun = true;
    }
  };
}

/** Of a simple query, or of one that is executed: what was parsed under its name, now or long before. */
function readStatement(bytes: Buffer, parsed: Map<string, string>): { readonly statement?: string } {
  const type = String.fromCharCode(bytes[0] ?? 0);
  const [first = "", second = ""] = bytes.subarray(5).toString().split("\0");
  if (type === "Q") return { statement: first };
  if (type === "P") parsed.set(first, second);
  const statement = type === "B" ? parsed.get(second) : undefined;
  return statement === undefined ? {} : { statement };
}

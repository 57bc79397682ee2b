import { z } from "zod";

const count = z.int().min(0);
const head = z.strictObject({ position: count, seq: count, hash: z.string() });

export const manifestPath = "manifest.json";
export const databaseFolder = "database/";
export const filesFolder = "files/";

/** The last entry of a backup: everything else in it, so that a restore can compare before it touches anything. */
export const manifestSchema = z.strictObject({
  /** Changes when an older Kurisu could not read it any more. */
  format: z.literal(1),
  /** The version of the program. */
  version: z.string(),
  engine: z.enum(["sqlite", "postgres"]),
  /** ISO 8601. */
  at: z.string(),
  steps: z.record(z.string(), z.array(z.string())),
  tables: z.record(z.string(), count),
  audit: head.nullable(),
  /** Only of Postgres: the last value of each sequence, and whether it was given away. */
  sequences: z.record(z.string(), z.strictObject({ value: count, called: z.boolean() })).optional(),
  left: z.strictObject({
    /** Files of chats were larger than the limit of automatic backups, in bytes. */
    workspaces: count.optional(),
    /** Links, pipes, sockets and what cannot be read. */
    entries: count,
  }),
  /** Equal in two backups between which nothing has changed. */
  stamp: z.string(),
  files: z.array(z.strictObject({ path: z.string(), bytes: count, sha256: z.string() })),
});

export type Manifest = z.output<typeof manifestSchema>;
export type ArchivedFile = Manifest["files"][number];

/** A backup in a few numbers, for people. */
export interface BackupSummary {
  readonly file: string;
  readonly bytes: number;
  readonly engine: Manifest["engine"];
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** Before they were packed. */
  readonly fileBytes: number;
  readonly left: Manifest["left"];
}

export function summariseManifest(manifest: Manifest, file: string, bytes: number): BackupSummary {
  const { engine, files, left, tables } = manifest;
  const inFolder = files.filter(({ path }) => path.startsWith(filesFolder));
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  return {
    file,
    bytes,
    engine,
    tables: Object.keys(tables).length,
    rows: sum(Object.values(tables)),
    files: inFolder.length,
    fileBytes: sum(inFolder.map((one) => one.bytes)),
    left,
  };
}

import { buildImageCommand } from "../core/kurisu-command.ts";
import type { ContainerCreateOptions } from "dockerode";
import { describeError } from "../core/errors.ts";
import { imageChanged, ImageChanged } from "./container-calls.ts";
import { createRunId, type ContainerProgram } from "./container-spec.ts";
import type { OpenProgram, SandboxBrowser, SandboxOpening, SandboxProgram } from "./types.ts";

/** Containers that run for as long as a client is connected: servers of skills, and browsers. */
export interface Openings {
  open(program: SandboxProgram): Promise<SandboxOpening>;
  openBrowser(browser: SandboxBrowser): Promise<SandboxOpening>;
  /** Ends all of them. */
  close(): Promise<void>;
}

type Refused = Extract<SandboxOpening, { kind: "unavailable" }>;

export function createOpenings(parts: {
  /** Throws the engine's errors; then no container is left. */
  readonly start: (
    /** Asked once it is known what engine it is. */
    spec: () => ContainerCreateOptions,
    given: Pick<SandboxProgram, "signal" | "onErrorOutput" | "imageId">,
  ) => Promise<OpenProgram>;
  readonly buildSpec: (
    run: string,
    program: ContainerProgram,
    place: { readonly session: string; readonly workspace?: string },
  ) => ContainerCreateOptions;
  /** Why nothing may be opened now. */
  readonly refuse: () => Promise<Refused | undefined>;
  readonly noteFault: (error: unknown) => { readonly reason: string; readonly remedy: string };
  /** Runs that no sweep takes for left over. */
  readonly running: Map<string, Promise<unknown>>;
}): Openings {
  const { running } = parts;
  const programs = new Map<string, OpenProgram>();

  async function keepOpen(run: string, ...given: Parameters<typeof parts.start>): Promise<SandboxOpening> {
    const opening = parts.start(...given);
    running.set(run, opening);
    try {
      const streams = await opening;
      programs.set(run, streams);
      void streams.ended.then(() => programs.delete(run) && running.delete(run));
      return { kind: "open", streams };
    } catch (error) {
      running.delete(run);
      throw error;
    }
  }

  return {
    async open(program) {
      const refused = await parts.refuse();
      if (refused !== undefined) return refused;
      const { argv, environment, image, session, workspace } = program;
      const run = createRunId();
      const server = { kind: "server", command: quoteCommand(argv, environment) } as const;
      const buildSpec = (): ContainerCreateOptions => {
        const spec = parts.buildSpec(run, server, { session, workspace });
        return image === undefined ? spec : { ...spec, Image: image };
      };
      try {
        return await keepOpen(run, buildSpec, program);
      } catch (error) {
        if (error instanceof ImageChanged) return { kind: "unavailable", ...imageChanged };
        if (image === undefined) return { kind: "unavailable", ...parts.noteFault(error) };
        // A fault of a foreign image says nothing of our own.
        const remedy = `Is the image ${image} there, with bash in it?`;
        return { kind: "unavailable", reason: describeError(error), remedy };
      }
    },
    async openBrowser(browser) {
      const refused = await parts.refuse();
      if (refused !== undefined) return refused;
      const { run, sockets } = browser;
      try {
        return await keepOpen(
          run,
          () => parts.buildSpec(run, { kind: "browser", sockets }, { session: "browser" }),
          browser,
        );
      } catch (error) {
        const remedy = `Build the browser's image: ${buildImageCommand} -- --browser.`;
        return { kind: "unavailable", reason: describeError(error), remedy };
      }
    },
    async close() {
      await Promise.allSettled([...programs.values()].map((program) => program.close()));
    },
  };
}

/** A bash command that sets variables and becomes the program; nothing in either is read as bash. */
function quoteCommand(argv: readonly string[], environment: Readonly<Record<string, string>>): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const variables = Object.entries(environment)
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
    .map(([name, value]) => `export ${name}=${quote(value)}; `);
  return `${variables.join("")}exec ${argv.map(quote).join(" ")}`;
}

import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { sandboxLabels } from "../container-spec.ts";
import { checkContainerBody, type ContainerPolicy } from "./check-container-body.ts";
import { maxBodyLength, readCall, type EngineCall } from "./read-call.ts";
import { callEngine, EngineUnreachable, readText, relayAnswer, relayUpgrade, type EngineRequest } from "./relay.ts";

export interface GuardParts {
  /** Path of the container engine's own socket. */
  readonly engine: string;
  readonly policy: ContainerPolicy;
}

/** An answer of the guard's own instead of the engine's. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

interface ContainerCall {
  readonly id: string;
  readonly action: Extract<EngineCall, { kind: "container" }>["action"];
}

const forbid = (reason: string): Refusal => ({ status: 403, reason: `refused, ${reason}` });

/** Answers one call of the API, or says why not. Throws when the engine breaks off in the middle. */
export async function answerCall(
  parts: GuardParts,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const call = readCall(request, parts.policy);
  const pass = async (engineRequest: EngineRequest): Promise<undefined> => {
    // The body of the call is for nobody.
    request.resume();
    await relayAnswer(await callEngine(parts.engine, engineRequest, signal), response);
  };
  return reachEngine(async () => {
    switch (call.kind) {
      case "refused":
        return forbid(call.reason);
      case "plain":
        return pass(call);
      case "create": {
        const checked = await checkCreation(parts.policy, call.name, await readBody(request));
        return typeof checked === "string" ? pass(createRequest(call.name, checked)) : checked;
      }
      case "container":
        return (await checkContainer(parts, call, signal)) ?? pass(call);
    }
  });
}

/** The same for a call that asks to turn the connection into a two-way stream. */
export async function answerUpgrade(
  parts: GuardParts,
  request: IncomingMessage,
  near: Duplex,
  head: Buffer,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const call = readCall(request, parts.policy);
  if (call.kind === "refused") return forbid(call.reason);
  if (call.kind !== "container" || call.action !== "attach") return forbid("only attach can be upgraded");
  return reachEngine(async () => {
    const refusal = await checkContainer(parts, call, signal);
    if (refusal !== undefined) return refusal;
    await skipBody(near, head, Number(request.headers["content-length"] ?? "0"), signal);
    const instead = await relayUpgrade(parts.engine, call, near, signal);
    return instead && { status: instead.status, reason: instead.text };
  });
}

/** 502 when nothing was sent to the engine: what breaks later must not look as if nothing had happened. */
async function reachEngine(work: () => Promise<Refusal | undefined>): Promise<Refusal | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineUnreachable) return { status: 502, reason: error.message };
    throw error;
  }
}

function createRequest(name: string, body: string): EngineRequest {
  return { method: "POST", target: `/containers/create?name=${name}`, body };
}

function parseBody(text: string): { readonly body: unknown } | Refusal {
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return forbid("the body is no JSON");
  }
}

/** Answers the JSON text that the engine gets, written by us. */
async function checkCreation(policy: ContainerPolicy, name: string, text: string): Promise<string | Refusal> {
  const parsed = parseBody(text);
  if ("status" in parsed) return parsed;
  const verdict = checkContainerBody(parsed.body, policy);
  if (verdict.kind === "refused") return forbid(verdict.reason);
  if (verdict.name !== name) return forbid("the name is not the run's");
  const fault = await checkFolders(verdict.spec.HostConfig?.Mounts);
  return fault === undefined ? JSON.stringify(verdict.spec) : forbid(fault);
}

/** Looks the container up: what is not ours is not touched. An id never comes to mean another container. */
async function checkContainer(
  { engine, policy }: GuardParts,
  { id, action }: ContainerCall,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const answer = await callEngine(engine, { method: "GET", target: `/containers/${id}/json` }, signal);
  const text = await readText(answer);
  if (answer.statusCode !== 200) return { status: answer.statusCode ?? 502, reason: text };
  const found = JSON.parse(text) as {
    Id?: string;
    Config?: { Labels?: Record<string, string> };
    HostConfig?: { Mounts?: { Source?: string }[] };
  };
  const labels = found.Config?.Labels ?? {};
  const ours = labels[sandboxLabels.sandbox] === "1" && labels[sandboxLabels.installation] === policy.installation;
  if (!ours || found.Id !== id) return forbid("the container is none of this installation's sandbox");
  if (action !== "start") return undefined;
  const fault = await checkFolders(found.HostConfig?.Mounts);
  return fault === undefined ? undefined : forbid(fault);
}

/** The first fault of the folders that a container is given. */
async function checkFolders(mounts: readonly { readonly Source?: string }[] = []): Promise<string | undefined> {
  if (mounts.length === 0) return "nothing is mounted";
  for (const { Source = "" } of mounts) {
    const fault = await checkMountedFolder(Source);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * Why this folder may not be mounted, or undefined. The engine follows links when it mounts; the gateway owns the folder
 * above and could leave a link in the place of a workspace or of a socket's folder. (It could also be faster than we: see
 * the decision.)
 */
async function checkMountedFolder(folder: string): Promise<string | undefined> {
  for (const part of [dirname(folder), folder]) {
    try {
      if (!(await lstat(part)).isDirectory()) return `${part} is no folder of its own`;
    } catch (error) {
      return `${part} cannot be seen by the guard (${(error as NodeJS.ErrnoException).code ?? "unknown"})`;
    }
  }
  return undefined;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBodyLength) throw new RangeError("the body is longer than it said");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Node hands an upgraded connection over right after the headers; the body is not for the container's input. */
async function skipBody(near: Duplex, head: Buffer, length: number, signal: AbortSignal): Promise<void> {
  if (head.length > 0) near.unshift(head);
  for (let left = length; left > 0;) {
    const piece = (near.read(left) ?? near.read()) as Buffer | null;
    if (piece !== null) left -= piece.length;
    else if (near.readableEnded) throw new RangeError("the body is shorter than it said");
    else await once(near, "readable", { signal });
  }
}

import http from "node:http";
import https from "node:https";
import type { Agent, Dispatcher } from "undici";
import { hostOf, portOf } from "./check-url.ts";
import {
  chooseProxy,
  describeForNode,
  type OutboundTarget,
  type ProxyPlace,
  type ProxySettings,
} from "./proxy-settings.ts";

/**
 * Makes every request of this process follow the proxies: Node keeps the agents that its own requests, and packages,
 * use, and undici the dispatcher of fetch. The settings are kept with Node's agent, since they hold for the process as
 * a whole. Answers what undoes it.
 */
export async function followProxies(settings: ProxySettings): Promise<() => void> {
  // Loaded first: when it loads, it puts a dispatcher of its own in the place of Node's.
  const { getGlobalDispatcher, setGlobalDispatcher } = await import("undici");
  const before = { http: http.globalAgent, https: https.globalAgent, dispatcher: getGlobalDispatcher() };
  // As Node makes its own.
  const usual = { keepAlive: true, scheduling: "lifo", timeout: 5_000, proxyEnv: describeForNode(settings) } as const;
  http.globalAgent = new http.Agent(usual);
  https.globalAgent = Object.assign(new https.Agent(usual), { [proxySettings]: settings });
  const dispatcher = await openOutboundAgent();
  setGlobalDispatcher(dispatcher);
  return () => {
    http.globalAgent = before.http;
    https.globalAgent = before.https;
    setGlobalDispatcher(before.dispatcher);
  };
}

const proxySettings = Symbol("proxySettings");

function findSettings(): ProxySettings | undefined {
  return (https.globalAgent as { readonly [proxySettings]?: ProxySettings })[proxySettings];
}

/** The proxy for a target; undefined when it is reached directly. */
export function findProxy(target: OutboundTarget): ProxyPlace | undefined {
  const settings = findSettings();
  return settings && chooseProxy(settings, target);
}

/** A host, port and scheme of an address. */
export function readTarget(url: URL): OutboundTarget {
  return { host: hostOf(url), port: portOf(url), secure: url.protocol === "https:" || url.protocol === "wss:" };
}

/** An undici agent of one's own that follows the proxies. The opener destroys it. */
export async function openOutboundAgent(limits: Agent.Options = {}): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  const settings = findSettings();
  if (settings === undefined) return new Agent(limits);
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = describeForNode(settings);
  return new EnvHttpProxyAgent({ ...limits, httpProxy: HTTP_PROXY, httpsProxy: HTTPS_PROXY, noProxy: NO_PROXY });
}

/** An agent of one's own for Node's requests to such an address. */
export function createOutboundAgent(url: URL, options: http.AgentOptions = {}): http.Agent {
  const settings = findSettings();
  const followed = { ...options, ...(settings && { proxyEnv: describeForNode(settings) }) };
  return url.protocol === "https:" ? new https.Agent(followed) : new http.Agent(followed);
}

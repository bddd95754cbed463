// What an operator may set about the doors of a node.

import type { CommonOptions, HostPort } from "../node.ts";
import type { Flag, FlagValues } from "./flags.ts";
import {
  parseAmount,
  parseDuration,
  parseHostPort,
  parseNames,
  parseNodeInfoFields,
  parseSwitch,
  parseText,
  parseUrl,
} from "./values.ts";

const metrics: Flag<HostPort | null> = {
  placeholder: "HOST:PORT|off",
  about: "where Prometheus metrics and the probes are, for the operator alone",
  fallback: "off",
  parse: (text) => (text === "off" ? null : parseHostPort(text)),
};

const drain: Flag<number> = {
  placeholder: "TIME|off",
  about: "how long a node that is to end answers on, not ready, before its doors close",
  fallback: "off",
  parse: (text) => (text === "off" ? 0 : parseDuration(text)),
};

const readyMaxAge: Flag<number | null> = {
  placeholder: "TIME|off",
  about: "the age of the newest block from which the node is not ready",
  fallback: "off",
  parse: orOff(parseDuration),
};

const readyMaxLag: Flag<number | null> = {
  placeholder: "BLOCKS|off",
  about: "how many blocks behind whom it follows the node is not ready",
  fallback: "off",
  parse: orOff(parseAmount(1_000_000_000)),
};

const accessLog: Flag<boolean> = {
  placeholder: null,
  about: "a line for every request, and an id and Server-Timing on every answer",
  fallback: "false",
  parse: parseSwitch,
};

const routesAllow: Flag<readonly string[], null> = {
  placeholder: "PATTERNS",
  about: "the only routes that are served: paths with * or ids of operations, with commas between (default all)",
  fallback: null,
  parse: parseNames,
};

const routesDeny: Flag<readonly string[], null> = {
  placeholder: "PATTERNS",
  about: "routes that are not served, also where they are allowed (default none)",
  fallback: null,
  parse: parseNames,
};

const hideNodeInfo: Flag<readonly string[], null> = {
  placeholder: "FIELDS|all",
  about: "fields of node_info that are answered empty, with commas between (default none)",
  fallback: null,
  parse: parseNodeInfoFields,
};

const publicApi: Flag<string, null> = {
  placeholder: "URL",
  about: "where others reach the HTTP door, for /chain.json (default where it listens)",
  fallback: null,
  parse: parseUrl,
};

const publicRpc: Flag<string, null> = {
  placeholder: "URL",
  about: "where others reach the RPC door, for /chain.json (default where it listens)",
  fallback: null,
  parse: parseUrl,
};

const maxUrl = size("the longest URL, in characters; longer ones are 414", "8192", 65_536);
const maxBody = size("the largest body, in bytes; larger ones are 413", "262144", 4_194_304);
const maxAnswer = size("the largest page, in bytes; a larger one ends earlier, with a next_key", "8388608", 8_388_608);
const maxDepth = size("how deep the JSON of a body may be nested; deeper ones are 400", "32", 512);
const bodyTimeout = time("how long a body may take to come; slower ones are 408", "10s");
const maxInFlight = size("requests with a body that may be under way at once, at each door", "256", 100_000);
const maxReads = size("reads of single things that may be under way at once", "64", 100_000);
const maxScans = size("reads of lists and searches that may be under way at once", "4", 100_000);
const maxQueue = size("requests that may wait for a place in each of those classes", "128", 100_000);
const queueWait = time("how long they may wait; then 503", "250ms");
const readTimeout = time("how long a read may take; longer ones are 504", "5s");

const cache: Flag<number | null> = {
  placeholder: "N|off",
  about:
    "MiB for what is asked most: records are kept at hand until a block changes them, pages and answers until the next one",
  fallback: "512",
  parse: orOff(parseAmount(1_000_000)),
};

const rate: Flag<number | null> = {
  placeholder: "N|off",
  about: "requests a second that one address may make, other than loopback; more are 429",
  fallback: "100",
  parse: orOff(parseAmount(1_000_000)),
};

const rateBurst = size("requests that one address may make at once", "200", 1_000_000);

const clientAddressHeader: Flag<string, null> = {
  placeholder: "NAME",
  about: "the header in which a proxy names the client, such as x-real-ip (default none: who connects is the client)",
  fallback: null,
  parse: parseText,
};

const shedDelay: Flag<number | null> = {
  placeholder: "TIME|off",
  about: "how late the event loop may be before bodies are turned away with 503; at five times that, everything",
  fallback: "200ms",
  parse: orOff(parseDuration),
};

export const OPERATOR_FLAGS = {
  ...{ metrics, drain, readyMaxAge, readyMaxLag, accessLog, routesAllow, routesDeny, hideNodeInfo },
  ...{ publicApi, publicRpc, cache },
  ...{ maxUrl, maxBody, maxAnswer, maxDepth, bodyTimeout, maxInFlight },
  ...{ maxReads, maxScans, maxQueue, queueWait, readTimeout },
  ...{ rate, rateBurst, clientAddressHeader, shedDelay },
};

type OperatorSettings = Required<
  Pick<CommonOptions, "metrics" | "operator" | "routes" | "hideNodeInfo" | "drainMs" | "publicUrls" | "cacheBytes">
>;

export function operatorSettings(values: FlagValues<typeof OPERATOR_FLAGS>): OperatorSettings {
  const { metrics, drain, readyMaxAge, readyMaxLag, accessLog } = values;
  const { maxUrl, maxBody, maxAnswer, maxDepth, bodyTimeout, maxInFlight } = values;
  const { maxReads, maxScans, maxQueue, queueWait, readTimeout } = values;
  const { rate, rateBurst, clientAddressHeader = null, shedDelay } = values;
  return {
    metrics,
    drainMs: drain,
    cacheBytes: (values.cache ?? 0) * MEGABYTE,
    routes: { allow: values.routesAllow ?? [], deny: values.routesDeny ?? [] },
    hideNodeInfo: values.hideNodeInfo ?? [],
    publicUrls: {
      ...(values.publicApi === undefined ? {} : { api: values.publicApi }),
      ...(values.publicRpc === undefined ? {} : { rpc: values.publicRpc }),
    },
    operator: {
      accessLog,
      ready: { maxAgeSeconds: readyMaxAge === null ? null : readyMaxAge / 1000, maxLag: readyMaxLag },
      limits: {
        ...{ maxUrl, maxBody, maxAnswer, maxDepth, bodyTimeoutMs: bodyTimeout, maxInFlight },
        ...{ maxReads, maxScans, maxQueue, queueWaitMs: queueWait, readTimeoutMs: readTimeout },
        ...{ rate, rateBurst, clientAddressHeader, shedDelayMs: shedDelay },
      },
    },
  };
}

const MEGABYTE = 1024 * 1024;

function size(about: string, fallback: string, most: number): Flag<number> {
  return { placeholder: "N", about, fallback, parse: parseAmount(most) };
}

function time(about: string, fallback: string): Flag<number> {
  return { placeholder: "TIME", about, fallback, parse: parseDuration };
}

function orOff<T>(parse: (text: string) => T): (text: string) => T | null {
  return (text) => (text === "off" ? null : parse(text));
}

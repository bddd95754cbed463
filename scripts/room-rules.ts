// The walls of the source tree, as data: which room may import which, and where the platform may be touched.
// ARCHITECTURE.md says what the rooms are for; check-rooms.ts holds the tree against this table.

/**
 * What each room may import besides itself: rooms, or single files of them. A file directly under src/ is a room of its
 * own, named after itself.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  gen: [],
  "log.ts": [],
  "give-way.ts": [],
  "kept.ts": [],
  "stop-server.ts": [],
  codec: [],
  store: ["codec/bytes.ts"],
  state: ["codec", "store"],
  chain: ["codec", "store", "state"],
  sources: ["codec", "store", "state", "chain"],
  api: ["codec"],
  queries: ["api", "codec", "store", "state", "chain"],
  http: ["api", "codec"],
  rpc: ["api", "codec"],
  client: ["api", "codec"],
  "node.ts": ["codec", "store", "state", "chain", "sources", "api", "queries", "http", "rpc", "client"],
  "index.ts": ["node.ts"],
  cli: ["node.ts", "client", "api", "codec"],
};

/** Rooms that every other room may import: generated message types, the type of a log, pauses in long work. */
export const SHARED_ROOMS: readonly string[] = ["gen", "log.ts", "kept.ts", "give-way.ts", "stop-server.ts"];

/** Rooms that run in a browser: nothing of Bun or Node in them. */
export const BROWSER_ROOMS: readonly string[] = ["codec", "api", "client"];

/** Paths, by their beginning, that may call Bun. Everything else under src/ would run on another runtime. */
export const BUN_ALLOWED: readonly string[] = [
  "src/store/sqlite",
  "src/state/native-hash.ts", // the runtime's own hashes, in the place of the portable ones
  "src/http/serve.ts",
  "src/http/native-bytes.ts", // the runtime's own hash and compression
  "src/rpc/serve.ts",
  "src/cli/",
];

/** Paths, by their beginning, that may import `node:` modules: files and clocks of a home folder, and Bun's places. */
export const NODE_ALLOWED: readonly string[] = ["src/sources/", ...BUN_ALLOWED];

/** The one room that reads the environment: what it finds reaches the others as values. */
export const ENVIRONMENT_ALLOWED: readonly string[] = ["src/cli/"];

/** The one file that may consist of re-exports. */
export const BARREL_ALLOWED: readonly string[] = ["src/index.ts"];

export const LINE_LIMIT = 500;

/** Folders whose files are held against the line limit; the room rules concern src/ alone. */
export const FOLDERS: readonly string[] = ["src", "test", "bench", "scripts"];

/** Written by a generator, not by hand. */
export const GENERATED = "src/gen/";

/** Tests may import any room and use the whole platform. */
export function isTest(path: string): boolean {
  return path.startsWith("test/") || /\.(test|suite)\.ts$/.test(path);
}

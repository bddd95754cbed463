// The recorded chain as a user serves it: imported into a home, and a node that serves the home.

import { createNode, importRecording } from "../../src/node.ts";
import { type Door, doorOf } from "./door.ts";
import { temporaryFolder } from "./engines.ts";
import { FIXTURES } from "./fixtures.ts";

export async function serveRecording(): Promise<Door> {
  const folder = temporaryFolder();
  const faults: string[] = [];
  await importRecording({ recording: FIXTURES, home: folder.path });
  const log = { debug() {}, info() {}, warn() {}, error: (text: string) => void faults.push(text) };
  const api = { host: "127.0.0.1", port: 0 };
  const node = await createNode({ mode: "serve", home: folder.path, api, log });
  return doorOf(
    faults,
    (path, init) => fetch(node.url + path, init),
    async () => {
      await node.close();
      folder.remove();
    },
  );
}

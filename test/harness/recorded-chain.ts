// The recorded chain in a store: raw pairs of the state at its last height, and every block.

import { openIngest } from "../../src/sources/ingest.ts";
import { readRecording } from "../../src/sources/recording.ts";
import { RECORDING } from "../../src/sources/source.ts";
import type { Store } from "../../src/store/store.ts";
import { FIXTURES } from "./fixtures.ts";

export async function loadRecording(store: Store): Promise<void> {
  const { genesis, run } = readRecording(FIXTURES);
  const ingest = await openIngest({ store, source: RECORDING, genesis, onHead: () => {} });
  await ingest.commit(run);
}

// The row that says which heights a database holds. It moves in the same transaction as the records of its height.

import type { Database } from "bun:sqlite";
import { DamagedRecord } from "./store.ts";

/** Both null in a store without any commit. */
export type Marker = { readonly head: number | null; readonly earliest: number | null };

type MarkerRow = Marker & { readonly crc: number };

export function prepareMarker(database: Database): { read(): Marker; write(marker: Marker): void } {
  const select = database.query<MarkerRow, []>("SELECT head, earliest, crc FROM marker WHERE id = 1");
  const update = "UPDATE marker SET head = ?, earliest = ?, crc = ? WHERE id = 1";
  return {
    read() {
      const row = select.get();
      if (row === null || row.crc !== markerChecksum(row.head, row.earliest)) {
        throw new DamagedRecord("the row that names the newest height is damaged");
      }
      return row;
    },
    write({ head, earliest }) {
      database.query(update).run(head, earliest, markerChecksum(head, earliest));
    },
  };
}

export function markerChecksum(head: number | null, earliest: number | null): number {
  return Bun.hash.crc32(`head ${head} earliest ${earliest}`);
}

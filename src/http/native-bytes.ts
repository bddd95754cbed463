// What the runtime does with bytes faster than any code of ours could: a hash for tags, and compression.

import type { Bytes } from "../codec/bytes.ts";
import type { ByteWork } from "./read-answer.ts";

// The fastest levels: a better one costs more time than all the rest of an answer, and saves a few per cent.
const FASTEST = { level: 1 } as const;

export const NATIVE_BYTES: ByteWork = {
  // Not xxHash3: it is faster by itself, but the wide registers it leaves behind slow the code after it by microseconds.
  fingerprint: (bytes) => Bun.hash.wyhash(bytes).toString(16),
  compress: {
    gzip: (bytes) => Bun.gzipSync(bytes, FASTEST),
    zstd: (bytes) => Bun.zstdCompressSync(bytes, FASTEST) as Bytes,
  },
};

import { openMemoryStore } from "./memory.ts";
import { describeStore } from "./store.suite.ts";

describeStore("memory", { open: async (keep) => openMemoryStore({ keep }), runs: 300 });

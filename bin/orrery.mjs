#!/usr/bin/env node
// The command `orrery`, for people who have Node: it hands over to the command line in src/cli, under Bun.
process.argv.splice(2, 0, "src/cli/main.ts");
await import("./run.mjs");

// What `npm run format` runs: Biome writes its format and its safe fixes.

import { runTool } from "./step.ts";

const { code, output } = await runTool(["biome", "check", "--write"]);
console.log(output);
process.exit(code);

// What `npm run gen` runs: the message types in src/gen, written anew from the .proto files.

import { runTool } from "./step.ts";

const { code, output } = await runTool(["buf", "generate"]);
if (output !== "") console.log(output);
process.exit(code);

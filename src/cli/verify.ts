// `orrery verify`: looks at everything that a home holds and says what is wrong with it.

import { verifyHome } from "../node.ts";
import { defineCommand, EXIT, home, logLevel } from "./command.ts";

export const verifyCommand = defineCommand({
  name: "verify",
  summary: "Check everything that a home holds",
  about: `Reads every record with its checksum, recounts the lists, derives the indexes again, follows headers and
commits, and holds the supply against the balances. Exits with 0 when all is well and with 1 when something is not;
it changes nothing.`,
  flags: { home, logLevel },
  run: async ({ home }, log) => {
    // Damage at one place can show in several checks.
    const findings = [...new Set(await verifyHome({ home, onProgress: (step) => log.debug(step) }))];
    for (const finding of findings) log.show(finding, "error");
    log.show(findings.length === 0 ? `${home} is sound` : `${home} is not sound: ${findings.length} findings`);
    return findings.length === 0 ? EXIT.ok : EXIT.failure;
  },
});

// `orrery query`: the 18 operations, each as a command, asked of a running node.

import { type AnyOperation, OPERATIONS } from "../api/operations.ts";
import { createClient, type Method } from "../client/client.ts";
import { answerText } from "./answer-text.ts";
import { type Command, type CommandGroup, defineCall, EXIT, json, node } from "./command.ts";
import { queryFlags } from "./query-flags.ts";

export const queryGroup: CommandGroup = {
  name: "query",
  summary: "Ask a running node",
  about: "Lists are printed as tables, everything else as indented JSON; --json gives plain JSON.",
  commands: OPERATIONS.map(queryCommand),
};

function queryCommand(operation: AnyOperation): Command {
  const { flags, parameters } = queryFlags(operation);
  return defineCall({
    name: `query ${kebab(operation.id)}`,
    summary: operation.summary,
    about: `${operation.method} ${operation.path}`,
    flags: { ...flags, json, node },
    run: async (values) => {
      const given = Object.fromEntries(
        [...parameters].map(([key, name]) => [name, (values as Record<string, unknown>)[key]]),
      );
      const { height } = values as { readonly height?: bigint };
      const newest = createClient(values.node, { retries: 1 });
      const client = height === undefined || parameters.has("height") ? newest : newest.at(height);
      const method = client[operation.id] as unknown as Method<object, object>;
      const reading = await method.read(given);
      const text = values.json ? JSON.stringify(reading.answer) : answerText(operation.id, reading.answer, reading);
      process.stdout.write(`${text}\n`);
      return EXIT.ok;
    },
  });
}

function kebab(id: string): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

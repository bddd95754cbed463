// `orrery tx`: transactions, made, signed and sent from the command line.

import type { CommandGroup } from "./command.ts";
import { didCreateCommand } from "./tx-did-create.ts";
import { didDeactivateCommand } from "./tx-did-deactivate.ts";
import { didUpdateCommand } from "./tx-did-update.ts";
import { multiSendCommand } from "./tx-multi-send.ts";
import { sendCommand } from "./tx-send.ts";

export const txGroup: CommandGroup = {
  name: "tx",
  summary: "Send a transaction to a running node",
  about: `The gas is found by simulation unless --gas is given. The command ends when the transaction is in a block: with 0
when it succeeded, with 1 and the chain's sentence when it did not. Keys come from the sample accounts (--from alice)
or from a file (--mnemonic-file), never from the command line itself.`,
  commands: [sendCommand, multiSendCommand, didCreateCommand, didUpdateCommand, didDeactivateCommand],
};

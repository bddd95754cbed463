// Why a transaction is not even checked: the reference's sentences, and the codes that its clients give them.

export class MempoolRefusal extends Error {
  readonly codespace = "sdk";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export class TxInCache extends MempoolRefusal {
  override readonly name = "TxInCache";

  constructor() {
    super(19, "tx already exists in cache");
  }
}

export class MempoolFull extends MempoolRefusal {
  override readonly name = "MempoolFull";

  constructor(txs: number, maxTxs: number, bytes: number, maxBytes: number) {
    super(20, `mempool is full: number of txs ${txs} (max: ${maxTxs}), total txs bytes ${bytes} (max: ${maxBytes})`);
  }
}

export class TxTooLarge extends MempoolRefusal {
  override readonly name = "TxTooLarge";

  constructor(max: number, actual: number) {
    super(21, `Tx too large. Max size is ${max}, but got ${actual}`);
  }
}

/** Small enough for the mempool, but no block could hold it. */
export class TxDoesNotFit extends MempoolRefusal {
  override readonly name = "TxDoesNotFit";

  constructor(size: number, max: number) {
    super(21, `tx size is too big: ${size}, max: ${max}`);
  }
}

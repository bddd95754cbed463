// Flags of the command line. One table per command says which there are; reading words, reading variables and the
// help text all follow from it.

/** A flag named by its key in the table: `blockTime` is `--block-time`, and `ORRERY_BLOCK_TIME` in the environment. */
export type Flag<T, Fallback extends string | null = string> = {
  /** What stands for the value in the help text; null for a switch, which may also stand alone. */
  readonly placeholder: string | null;
  readonly about: string;
  /** The value when none is given, as a person would type it; null for none. */
  readonly fallback: Fallback;
  /** Throws UsageError with what is wrong about the value; the flag's name is put before it. */
  readonly parse: (text: string) => T;
  /** Without it the command cannot begin. */
  readonly needed?: boolean;
  /** False for what one call is about: a variable that was forgotten must not decide that. */
  readonly variable?: false;
};

export type NeededFlag<T> = Flag<T, null> & { readonly needed: true };

type AnyFlag = Flag<unknown, string | null>;
export type Flags = Readonly<Record<string, AnyFlag>>;

export type FlagValues<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends NeededFlag<infer T>
    ? T
    : F[Name] extends Flag<infer T, infer Fallback>
      ? T | (null extends Fallback ? undefined : never)
      : never;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** A mistake in how a command was called; the message is one sentence for the person who called it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Flags win over variables, variables over defaults; of a flag given twice the last one counts. */
export function parseFlags<F extends Flags>(
  flags: F,
  words: readonly string[],
  environment: Environment,
): FlagValues<F> {
  const given = new Map<string, unknown>();
  for (const [key, flag] of Object.entries(flags)) {
    const text = (flag.variable !== false && environment[variableOf(key)]) || flag.fallback;
    given.set(key, text === null ? undefined : parseValue(flag, variableOf(key), text));
  }
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const { key, name, text } = readFlag(flags, word, rest);
    given.set(key, parseValue(flags[key]!, name, text));
  }
  for (const [key, { needed, placeholder }] of Object.entries(flags)) {
    if (needed === true && given.get(key) === undefined) {
      throw new UsageError(`${nameOf(key)} is needed: ${placeholder}`);
    }
  }
  return Object.fromEntries(given) as FlagValues<F>;
}

/** The flag's spelling on the command line. */
export function nameOf(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function variableOf(key: string): string {
  return `ORRERY_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function readFlag(flags: Flags, word: string, rest: string[]): { key: string; name: string; text: string } {
  if (!word.startsWith("--")) throw new UsageError(`unexpected argument ${JSON.stringify(word)}`);
  const [name, inline] = splitOnce(word, "=");
  for (const [key, flag] of Object.entries(flags)) {
    if (nameOf(key) === name) return { key, name, text: inline ?? takeValue(flag, name, rest) };
    const opposite = flag.placeholder === null && `--no-${nameOf(key).slice(2)}` === name;
    if (opposite && inline !== undefined) throw new UsageError(`${name} takes no value`);
    if (opposite) return { key, name, text: "false" };
  }
  throw new UsageError(`unknown flag ${name}`);
}

function takeValue(flag: AnyFlag, name: string, rest: string[]): string {
  const next = rest[0];
  if (flag.placeholder === null) return next === "true" || next === "false" ? rest.shift()! : "true";
  if (next === undefined || next.startsWith("--")) throw new UsageError(`${name} needs a value: ${flag.placeholder}`);
  return rest.shift()!;
}

function parseValue(flag: AnyFlag, name: string, text: string): unknown {
  try {
    return flag.parse(text);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${name}: ${error.message}`);
    throw error;
  }
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const position = text.indexOf(mark);
  return position < 0 ? [text, undefined] : [text.slice(0, position), text.slice(position + mark.length)];
}

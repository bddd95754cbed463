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

/** Settings of a file, by the keys of flags. */
export type FileSettings = { readonly path: string; readonly settings: ReadonlyMap<string, string> };

/** A value as it was written, what its writer called it, and where it stands. */
export type Given = { readonly text: string; readonly name: string; readonly source: string };

export type Resolved<F extends Flags> = {
  readonly values: FlagValues<F>;
  /** Nothing for a flag without any value. */
  readonly given: ReadonlyMap<string, Given>;
};

const NO_FILE: FileSettings = { path: "", settings: new Map() };

/** Flags win over variables, variables over the file, the file over defaults; of a flag given twice the last counts. */
export function parseFlags<F extends Flags>(
  flags: F,
  words: readonly string[],
  environment: Environment,
): FlagValues<F> {
  return resolveFlags(flags, words, environment).values;
}

export function resolveFlags<F extends Flags>(
  flags: F,
  words: readonly string[],
  environment: Environment,
  file: FileSettings = NO_FILE,
): Resolved<F> {
  const given = new Map<string, Given>();
  for (const [key, flag] of Object.entries(flags)) {
    const found = withoutFlag(key, flag, environment, file);
    if (found !== null) given.set(key, found);
  }
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const { key, name, text } = readFlag(flags, word, rest);
    given.set(key, { text, name, source: "flag" });
  }
  const values = Object.entries(flags).map(([key, flag]) => {
    const found = given.get(key);
    if (found === undefined && flag.needed === true) {
      throw new UsageError(`${nameOf(key)} is needed: ${flag.placeholder}`);
    }
    return [key, found === undefined ? undefined : parseValue(flag, found.name, found.text)];
  });
  return { values: Object.fromEntries(values) as FlagValues<F>, given };
}

function withoutFlag(key: string, flag: AnyFlag, environment: Environment, file: FileSettings): Given | null {
  const variable = flag.variable === false ? undefined : environment[variableOf(key)];
  if (variable) return { text: variable, name: variableOf(key), source: `variable ${variableOf(key)}` };
  const setting = file.settings.get(key);
  if (setting !== undefined) return { text: setting, name: `${file.path}: ${nameOf(key).slice(2)}`, source: file.path };
  return flag.fallback === null ? null : { text: flag.fallback, name: nameOf(key), source: "default" };
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

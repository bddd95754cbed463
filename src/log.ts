// What a room needs in order to say something: the outermost room decides where the lines go.

/** What a line is about, for programs that read it. */
export type LogFields = Readonly<Record<string, string | number | boolean>>;

export type Log = {
  debug(text: string, fields?: LogFields): void;
  info(text: string, fields?: LogFields): void;
  warn(text: string, fields?: LogFields): void;
  error(text: string, fields?: LogFields): void;
};

// What a room needs in order to say something: the outermost room decides where the lines go.
export type Log = {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
};

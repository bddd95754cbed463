// How deep JSON is nested, found out before it is parsed: whatever walks the value later walks it on the stack.

/** Text that is no JSON may be called either: the parser is next, and tells. */
export function nestsDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === BRACE || code === BRACKET) {
      if (++depth > maxDepth) return true;
    } else if (code === BRACE_END || code === BRACKET_END) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH, BRACE, BRACE_END, BRACKET, BRACKET_END] = [34, 92, 123, 125, 91, 93] as const;

/** Where the quote stands that ends the string which begins at `start`; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    // An even number of backslashes are characters of their own; an odd one escapes the quote.
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

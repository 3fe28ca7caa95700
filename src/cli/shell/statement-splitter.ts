/**
 * Cuts a stream of text into statements and commands, in one pass. A statement ends with a semicolon that stands
 * outside of strings, quoted names and comments; a line that begins with a colon, where no statement is under way, is a
 * command.
 */

/** A statement or a command that the user has typed. */
export type ShellInput = { readonly kind: 'statement' | 'command'; readonly text: string };

type State = 'plain' | "'" | '"' | '`' | 'line comment' | 'block comment';

/** Splits a stream of text into statements and commands. */
export class StatementSplitter {
  /** The text that does not belong to a complete statement yet. */
  #text = '';
  /** The place in `#text` up to which it was read. */
  #at = 0;
  #state: State = 'plain';
  /** Whether there were only blanks and comments so far. */
  #isBlank = true;

  /** Whether no statement has been begun. */
  get isEmpty(): boolean {
    return this.#isBlank && this.#state !== 'block comment';
  }

  /** Takes more text, and returns the inputs that it completes. */
  push(text: string): ShellInput[] {
    this.#text += text;
    const found: ShellInput[] = [];
    for (;;) {
      const input = this.#next();
      if (input === null) return found;
      found.push(input);
    }
  }

  /** Returns the inputs that are left at the end; the last statement needs no semicolon. */
  finish(): ShellInput[] {
    const found = this.push('\n');
    const rest = this.#isBlank ? '' : this.#text.trim();
    this.clear();
    return rest === '' ? found : [...found, { kind: 'statement', text: rest }];
  }

  clear(): void {
    this.#text = '';
    this.#at = 0;
    this.#state = 'plain';
    this.#isBlank = true;
  }

  #next(): ShellInput | null {
    for (; this.#at < this.#text.length; this.#at++) {
      if (this.#needsMore()) return null;
      const from = this.#at;
      const isPlain = this.#state === 'plain';
      if (isPlain && this.#isBlank && this.#text[from] === ':' && this.#isLineStart(from)) return this.#command(from);
      const character = this.#text[from]!;
      if (this.#step() && character === ';') {
        const statement = this.#statement();
        if (statement !== null) return statement;
        this.#at--; // The loop steps on.
      } else if (isPlain && this.#state !== 'line comment' && this.#state !== 'block comment' && !/\s/.test(character))
        this.#isBlank = false;
    }
    return null;
  }

  #isLineStart(at: number): boolean {
    return this.#text.slice(this.#text.lastIndexOf('\n', at - 1) + 1, at).trim() === '';
  }

  #command(start: number): ShellInput | null {
    const end = this.#text.indexOf('\n', start);
    if (end < 0) return null;
    const text = this.#text.slice(start, end).trim().replace(/;$/, '');
    this.#drop(end + 1);
    return { kind: 'command', text };
  }

  /** Returns the statement that ends at `#at`; null: there is nothing before the semicolon. */
  #statement(): ShellInput | null {
    const text = this.#isBlank ? '' : this.#text.slice(0, this.#at).trim();
    this.#drop(this.#at + 1);
    return text === '' ? null : { kind: 'statement', text };
  }

  #drop(count: number): void {
    this.#text = this.#text.slice(count);
    this.#at = 0;
    this.#isBlank = true;
  }

  /** Tells whether the meaning of the last character depends on the one that comes next. */
  #needsMore(): boolean {
    if (this.#at < this.#text.length - 1) return false;
    const character = this.#text[this.#at];
    return (this.#state === 'plain' && character === '/') || (this.#state === 'block comment' && character === '*');
  }

  /** Reads the character at `#at`. True: it is plain text, not part of a string, a quoted name or a comment. */
  #step(): boolean {
    const character = this.#text[this.#at]!;
    const next = this.#text[this.#at + 1];
    switch (this.#state) {
      case 'plain':
        if (character === "'" || character === '"' || character === '`') this.#state = character;
        else if (character === '/' && next === '/') this.#enter('line comment');
        else if (character === '/' && next === '*') this.#enter('block comment');
        else return true;
        return false;
      case 'line comment':
        if (character === '\n') this.#state = 'plain';
        return false;
      case 'block comment':
        if (character === '*' && next === '/') this.#enter('plain');
        return false;
      default:
        if (character === '\\' && this.#state !== '`') this.#at++;
        else if (character === this.#state) this.#state = 'plain';
        return false;
    }
  }

  #enter(state: State): void {
    this.#state = state;
    this.#at++;
  }
}

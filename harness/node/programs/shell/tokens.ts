import { type Piece, ScriptError, type Word } from './syntax.ts';

/** A word or an operator. */
export type Token =
  | { readonly kind: 'word'; readonly word: Word }
  | { readonly kind: 'sign'; readonly sign: string };

const SIGNS = ['&&', '||', ';;', '2>&1', '2>>', '2>', '>>', '>&2', '>', '<', '|', '&', ';', '\n', '(', ')'];
const REFUSED = new Set(['<', '(', ')', ';;']);

/** Splits a script into tokens. @throws ScriptError for unsupported syntax: subshells, input from files */
export function tokensOf(script: string): readonly Token[] {
  return new Lexer(script).tokens();
}

class Lexer {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  tokens(): readonly Token[] {
    const tokens: Token[] = [];
    for (;;) {
      this.#skip(/[ \t\r]|\\\n/y);
      if (this.#at >= this.#text.length) return tokens;
      if (this.#text[this.#at] === '#') {
        this.#skip(/[^\n]/y);
        continue;
      }
      const sign = SIGNS.find((one) => this.#text.startsWith(one, this.#at));
      if (sign === undefined) {
        tokens.push({ kind: 'word', word: this.#word() });
        continue;
      }
      if (REFUSED.has(sign)) throw new ScriptError(`syntax error: "${sign}" is not supported here`);
      this.#at += sign.length;
      tokens.push({ kind: 'sign', sign });
    }
  }

  #skip(pattern: RegExp): void {
    for (;;) {
      pattern.lastIndex = this.#at;
      const [found = ''] = pattern.exec(this.#text) ?? [];
      if (found === '') return;
      this.#at += found.length;
    }
  }

  #word(): Word {
    const pieces: Piece[] = [];
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] as string;
      if (/[\s;&|<>()]/.test(char)) break;
      if (char === "'") pieces.push(this.#singleQuoted());
      else if (char === '"') pieces.push(...this.#doubleQuoted());
      else if (char === '$') pieces.push(this.#dollar(false));
      else if (char === '\\') pieces.push(this.#escaped());
      else pieces.push({ kind: 'text', text: this.#take(/[^\s;&|<>()'"$\\]+/y), quoted: false });
    }
    return pieces;
  }

  #singleQuoted(): Piece {
    this.#at++;
    const text = this.#take(/[^']*/y);
    this.#expect("'");
    return { kind: 'text', text, quoted: true };
  }

  #doubleQuoted(): readonly Piece[] {
    const pieces: Piece[] = [];
    this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      if (this.#text[this.#at] === '$') pieces.push(this.#dollar(true));
      else if (/^\\["$\\`]/.test(this.#text.slice(this.#at, this.#at + 2))) pieces.push(this.#escaped());
      else pieces.push({ kind: 'text', text: this.#take(/\\?[^"$\\]*/y), quoted: true });
    }
    this.#expect('"');
    return pieces.length > 0 ? pieces : [{ kind: 'text', text: '', quoted: true }];
  }

  #escaped(): Piece {
    const text = this.#text[this.#at + 1] ?? '\\';
    this.#at += 2;
    return { kind: 'text', text, quoted: true };
  }

  #dollar(quoted: boolean): Piece {
    this.#at++;
    if (this.#text.startsWith('((', this.#at)) return { kind: 'sum', expression: this.#enclosed('((', '))') };
    if (this.#text[this.#at] === '(') return { kind: 'output', script: this.#enclosed('(', ')'), quoted };
    if (this.#text[this.#at] === '{') {
      const inside = this.#enclosed('{', '}');
      const [, name = '', otherwise] = /^(\w+)(?::-([\s\S]*))?$/.exec(inside) ?? [];
      if (name === '') throw new ScriptError(`syntax error: bad substitution: ${inside}`);
      return { kind: 'variable', name, otherwise, quoted };
    }
    const name = this.#take(/[A-Za-z_]\w*|[?$!0-9@#]/y);
    if (name === '') return { kind: 'text', text: '$', quoted };
    return { kind: 'variable', name, otherwise: undefined, quoted };
  }

  /** Returns the text between two brackets, which may contain nested brackets. */
  #enclosed(open: string, close: string): string {
    const start = this.#at + open.length;
    let depth = 1;
    for (let at = start; at < this.#text.length; at++) {
      if (this.#text.startsWith(close, at)) depth--;
      else if (this.#text.startsWith(open, at)) depth++;
      if (depth > 0) continue;
      this.#at = at + close.length;
      return this.#text.slice(start, at);
    }
    throw new ScriptError(`syntax error: unexpected end of file (expecting "${close}")`);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #expect(char: string): void {
    if (this.#text[this.#at] !== char) throw new ScriptError('syntax error: unterminated quoted string');
    this.#at++;
  }
}

import { type Assignment, type Command, type Redirect, ScriptError, type Word } from './syntax.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Parses a script. @throws ScriptError when this shell does not understand it */
export function parse(script: string): Command {
  const parser = new Parser(tokensOf(script));
  const command = parser.list();
  parser.mustEnd();
  return command;
}

/** Keywords that end a list, and cannot start a command. */
const CLOSING = new Set(['then', 'elif', 'else', 'fi', 'do', 'done', '}']);

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  mustEnd(): void {
    const token = this.#tokens[this.#at];
    if (token) throw new ScriptError(`syntax error: unexpected ${told(token)}`);
  }

  list(): Command {
    const items: { readonly command: Command; readonly background: boolean }[] = [];
    for (;;) {
      while (this.#accept(';') || this.#accept('\n'));
      const token = this.#tokens[this.#at];
      if (!token || CLOSING.has(plain(token) ?? '')) return { kind: 'list', items };
      items.push({ command: this.#andOr(), background: this.#accept('&') });
      const next = this.#tokens[this.#at];
      const goesOn = next?.kind === 'sign' && (next.sign === ';' || next.sign === '\n');
      if (!goesOn && !items.at(-1)?.background && !CLOSING.has(next ? (plain(next) ?? '') : '')) {
        return { kind: 'list', items };
      }
    }
  }

  #andOr(): Command {
    let left = this.#pipeline();
    for (;;) {
      const kind = this.#accept('&&') ? 'and' : this.#accept('||') ? 'or' : undefined;
      if (kind === undefined) return left;
      while (this.#accept('\n'));
      left = { kind, left, right: this.#pipeline() };
    }
  }

  #pipeline(): Command {
    const token = this.#tokens[this.#at];
    if (token && plain(token) === '!') {
      this.#at++;
      return { kind: 'not', command: this.#pipeline() };
    }
    const first = this.#command();
    const commands = [first];
    while (this.#accept('|')) {
      while (this.#accept('\n'));
      commands.push(this.#command());
    }
    return commands.length === 1 ? first : { kind: 'pipe', commands };
  }

  #command(): Command {
    const token = this.#tokens[this.#at];
    switch (token && plain(token)) {
      case '{':
        this.#at++;
        return this.#until('}');
      case 'if':
        this.#at++;
        return this.#if();
      case 'while':
      case 'until': {
        this.#at++;
        const condition = this.#until('do');
        return {
          kind: token && plain(token) === 'until' ? 'until' : 'while',
          condition,
          body: this.#until('done'),
        };
      }
      case 'for':
        this.#at++;
        return this.#for();
      default:
        return this.#simple();
    }
  }

  #if(): Command {
    const condition = this.#until('then');
    const then = this.list();
    const word = this.#keyword();
    if (word === 'elif') return { kind: 'if', condition, then, otherwise: this.#if() };
    if (word === 'else') return { kind: 'if', condition, then, otherwise: this.#until('fi') };
    if (word === 'fi') return { kind: 'if', condition, then, otherwise: undefined };
    throw new ScriptError('syntax error: unexpected end of file (expecting "fi")');
  }

  #for(): Command {
    const name = this.#keyword() ?? '';
    const words: Word[] = [];
    if (this.#keyword() !== 'in') throw new ScriptError('syntax error: expecting "in"');
    for (let token = this.#tokens[this.#at]; token?.kind === 'word'; token = this.#tokens[this.#at]) {
      words.push(token.word);
      this.#at++;
    }
    while (this.#accept(';') || this.#accept('\n'));
    const word = this.#keyword();
    if (word === undefined) throw new ScriptError('syntax error: unexpected end of file (expecting "do")');
    if (word !== 'do') throw new ScriptError('syntax error: expecting "do"');
    return { kind: 'for', name, words, body: this.#until('done') };
  }

  #simple(): Command {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (let token = this.#tokens[this.#at]; token; token = this.#tokens[this.#at]) {
      if (token.kind === 'sign') {
        const redirect = this.#redirect(token.sign);
        if (!redirect) break;
        redirects.push(redirect);
        continue;
      }
      this.#at++;
      const assignment = words.length === 0 ? assignmentIn(token.word) : undefined;
      if (assignment) assignments.push(assignment);
      else words.push(token.word);
    }
    if (assignments.length + words.length + redirects.length === 0) {
      const token = this.#tokens[this.#at];
      throw new ScriptError(`syntax error: unexpected ${token ? told(token) : 'end of file'}`);
    }
    return { kind: 'simple', assignments, words, redirects };
  }

  #redirect(sign: string): Redirect | undefined {
    if (sign === '2>&1' || sign === '>&2') {
      this.#at++;
      return { from: sign === '2>&1' ? 'stderr' : 'stdout', to: undefined, append: true };
    }
    if (!sign.endsWith('>')) return undefined;
    const target = this.#tokens[this.#at + 1];
    if (target?.kind !== 'word') throw new ScriptError('syntax error: expecting a file');
    this.#at += 2;
    return {
      from: sign.startsWith('2') ? 'stderr' : 'stdout',
      to: target.word,
      append: sign.endsWith('>>'),
    };
  }

  #until(word: string): Command {
    const list = this.list();
    if (this.#keyword() !== word) {
      throw new ScriptError(`syntax error: unexpected end of file (expecting "${word}")`);
    }
    return list;
  }

  #keyword(): string | undefined {
    const token = this.#tokens[this.#at++];
    return token && plain(token);
  }

  #accept(sign: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'sign' || token.sign !== sign) return false;
    this.#at++;
    return true;
  }
}

/** Returns the text of a word that consists only of unquoted text. */
function plain(token: Token): string | undefined {
  if (token.kind !== 'word' || token.word.length !== 1) return undefined;
  const [piece] = token.word;
  return piece?.kind === 'text' && !piece.quoted ? piece.text : undefined;
}

function assignmentIn(word: Word): Assignment | undefined {
  const [first, ...rest] = word;
  if (first?.kind !== 'text' || first.quoted) return undefined;
  const [, name, text = ''] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(first.text) ?? [];
  if (name === undefined) return undefined;
  return { name, value: [{ ...first, text, quoted: true }, ...rest] };
}

function told(token: Token): string {
  return token.kind === 'sign'
    ? token.sign === '\n'
      ? 'newline'
      : `"${token.sign}"`
    : `"${plain(token) ?? 'word'}"`;
}

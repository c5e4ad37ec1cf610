/**
 * Reads the type declarations of the package kubernetes-types: interfaces whose fields are documented and
 * optional or not, and a few aliases. TypeScript 7 has no programming interface, and the dialect is so small
 * that a strict reader is shorter than a dependency. It throws at whatever it does not know.
 */

/** What a field or an alias can be, in the declarations' own terms. */
export type DeclaredType =
  | { readonly is: 'string' | 'number' | 'boolean' | 'number | string' }
  | { readonly is: 'array'; readonly of: DeclaredType }
  | { readonly is: 'map'; readonly of: DeclaredType }
  | { readonly is: 'reference'; readonly name: string };

/** An interface, by the types of its fields, or an alias. */
export type Declaration =
  | { readonly is: 'interface'; readonly name: string; readonly fields: ReadonlyMap<string, DeclaredType> }
  | { readonly is: 'alias'; readonly name: string; readonly type: DeclaredType };

/** One file: what it declares, and for each imported name the module that it comes from. */
export interface Declarations {
  readonly declared: ReadonlyMap<string, Declaration>;
  readonly imported: ReadonlyMap<string, string>;
}

/**
 * Reads one declaration file.
 *
 * @param file - its name, for messages
 * @throws Error at the first text that is not of the dialect
 */
export function parseDeclarations(file: string, text: string): Declarations {
  const tokens = new Tokens(file, text);
  const declared = new Map<string, Declaration>();
  const imported = new Map<string, string>();
  while (!tokens.ended) {
    if (tokens.accept('import')) {
      const names = parseImportedNames(tokens);
      tokens.expect('from');
      const module = tokens.string();
      tokens.expect(';');
      for (const name of names) imported.set(name, module);
      continue;
    }
    tokens.expect('export');
    const declaration = tokens.accept('interface') ? parseInterface(tokens) : parseAlias(tokens);
    if (declared.has(declaration.name)) tokens.fail(`${declaration.name} is declared twice`);
    declared.set(declaration.name, declaration);
  }
  return { declared, imported };
}

function parseImportedNames(tokens: Tokens): string[] {
  const names: string[] = [];
  tokens.expect('{');
  do names.push(tokens.identifier());
  while (tokens.accept(','));
  tokens.expect('}');
  return names;
}

function parseInterface(tokens: Tokens): Declaration {
  const name = tokens.identifier();
  const fields = new Map<string, DeclaredType>();
  tokens.expect('{');
  while (!tokens.accept('}')) {
    tokens.accept('readonly');
    const field = tokens.field();
    if (fields.has(field)) tokens.fail(`${name}.${field} is declared twice`);
    tokens.accept('?');
    tokens.expect(':');
    fields.set(field, parseType(tokens));
    tokens.expect(';');
  }
  return { is: 'interface', name, fields };
}

function parseAlias(tokens: Tokens): Declaration {
  tokens.expect('type');
  const name = tokens.identifier();
  tokens.expect('=');
  const type = parseType(tokens);
  tokens.expect(';');
  return { is: 'alias', name, type };
}

function parseType(tokens: Tokens): DeclaredType {
  // The constants are "v1", "Pod" and so on, in the fields apiVersion and kind: texts like any other here.
  if (tokens.atString) {
    tokens.string();
    return { is: 'string' };
  }
  if (tokens.accept('{')) {
    for (const token of ['[', 'name', ':', 'string', ']', ':']) tokens.expect(token);
    const of = parseType(tokens);
    tokens.expect(';');
    tokens.expect('}');
    return { is: 'map', of };
  }
  const name = tokens.identifier();
  switch (name) {
    case 'string':
    case 'boolean':
      return { is: name };
    case 'number':
      if (!tokens.accept('|')) return { is: name };
      tokens.expect('string');
      return { is: 'number | string' };
    case 'Array': {
      tokens.expect('<');
      const of = parseType(tokens);
      tokens.expect('>');
      return { is: 'array', of };
    }
    default:
      return { is: 'reference', name };
  }
}

/** The tokens of a file, comments left out, and a place among them. */
class Tokens {
  readonly #file: string;
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#tokens = [...text.matchAll(TOKEN)].flatMap(({ 0: token, index }) => {
      if (/^\s|^\/\*/.test(token)) return [];
      if (token.length === 1 && !/[\w$[\]{}<>:;,?|=]/.test(token)) {
        throw new Error(`Failed to read ${file}: unexpected ${JSON.stringify(token)} at offset ${index}.`);
      }
      return [token];
    });
  }

  get ended(): boolean {
    return this.#next === this.#tokens.length;
  }

  get atString(): boolean {
    return this.#tokens[this.#next]?.startsWith('"') ?? false;
  }

  accept(token: string): boolean {
    if (this.#tokens[this.#next] !== token) return false;
    this.#next++;
    return true;
  }

  expect(token: string): void {
    if (!this.accept(token)) this.fail(`expected ${token}`);
  }

  identifier(): string {
    const token = this.#tokens[this.#next] ?? '';
    if (!/^[\w$]+$/.test(token)) this.fail('expected a name');
    this.#next++;
    return token;
  }

  string(): string {
    const token = this.#tokens[this.#next] ?? '';
    if (!token.startsWith('"')) this.fail('expected a text');
    this.#next++;
    return JSON.parse(token) as string;
  }

  /** The name of a field, which is quoted where it is not an identifier. */
  field(): string {
    return this.atString ? this.string() : this.identifier();
  }

  fail(why: string): never {
    const around = this.#tokens.slice(Math.max(0, this.#next - 5), this.#next + 3).join(' ');
    throw new Error(`Failed to read ${this.#file}: ${why} near "${around}".`);
  }
}

const TOKEN = /\s+|\/\*.*?\*\/|"(?:[^"\\\n]|\\.)*"|[\w$]+|./gs;

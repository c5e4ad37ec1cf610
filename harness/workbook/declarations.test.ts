import { describe, expect, test } from 'vitest';
import { declarationsIn, exportedAgain, identifiersIn, importedNames, membersOf } from './declarations.ts';

const TEXT = `/** What the file is. */
import { a, type B } from '#harness';
import type { C as D } from './c.ts';
export { e } from './e.ts';

// Level 1

const KATA = '21';

/**
 * Says so.
 */
export function say(one: string): void;
export function say(one: string, two?: string): void {
  a(one);
}

/** A queue. */
export class Queue<T>
  implements Line<T>
{
  readonly #items: T[] = [];

  constructor() {
    super();
  }

  /** How many. */
  get length(): number {
    return this.#items.length;
  }

  // A remark.

  async *take(
    all: boolean,
  ): AsyncGenerator<T> {
    yield* this.#items;
  }
}

export const list = [
  1,
];

const { b, c: d } = list;
`;

describe('A file', () => {
  test('has the declarations at its first column, each with the comment above', () => {
    const found = declarationsIn(TEXT);
    expect(found.map(({ name, doc }) => [name, doc])).toEqual([
      ['KATA', ''],
      ['say', '/**\n * Says so.\n */\n'],
      ['Queue', '/** A queue. */\n'],
      ['list', ''],
      ['b', ''],
      ['d', ''],
    ]);
    expect(found[1]?.code.split('\n')).toHaveLength(4);
    expect(found[3]?.code).toBe('export const list = [\n  1,\n];');
    expect(found.slice(4).map(({ code }) => code)).toEqual(['const { b } = list;', 'const { c: d } = list;']);
    for (const { from, to, doc, code } of found.slice(0, 4)) expect(TEXT.slice(from, to)).toBe(doc + code);
  });

  test('has classes with members', () => {
    const queue = declarationsIn(TEXT).find(({ name }) => name === 'Queue');
    const members = membersOf(queue ?? { code: '' });
    expect(members.map(({ name, doc }) => [name, doc])).toEqual([
      ['#items', ''],
      ['constructor', ''],
      ['length', '  /** How many. */\n'],
      ['take', ''],
    ]);
    expect(members.at(-1)?.code.split('\n').at(-1)).toBe('  }');
    expect(membersOf({ code: 'const a = {\n  b: 1,\n};' })).toEqual([]);
  });

  test('has imported names and re-exported ones', () => {
    expect(importedNames(TEXT)).toEqual([
      { name: 'a', original: 'a', typeOnly: false, specifier: '#harness' },
      { name: 'B', original: 'B', typeOnly: true, specifier: '#harness' },
      { name: 'D', original: 'C', typeOnly: true, specifier: './c.ts' },
    ]);
    expect(exportedAgain(TEXT).map(({ name, specifier }) => `${name} ${specifier}`)).toEqual(['e ./e.ts']);
  });

  test('has identifiers, apart from strings, comments and properties', () => {
    const code = "a.b(c, ...d, 'e'); // f\nthis.#g = h?.i;";
    expect([...identifiersIn(code)]).toEqual(['a', 'c', 'd', 'this', 'h']);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { giveRest, fromLevel as ownFrom } from '../workbook/given.ts';
import { isBegunShort } from '../workbook/remembered.ts';
import { todosIn } from '../workbook/stub.ts';
import { SmallWorkbook, STUB } from './workbook.fixture.ts';

const REFERENCE = `import { sum } from './sum.ts';

/** Counts, solved. */
export class Counter {
  readonly #all: number[] = [];

  add(n: number): void {
    this.#all.push(n);
  }

  sum(): number {
    return sum(this.#all);
  }

  drain(): number {
    const all = this.sum();
    this.#all.length = 0;
    return all;
  }
}
`;
const HELPER = `import { type Client, zero } from '#harness';

export function sum(all: readonly number[]): number {
  return all.reduce((a, b) => a + b, zero);
}
`;

function workbook(): SmallWorkbook {
  const small = new SmallWorkbook();
  small.write('solutions/21-counter/counter.ts', REFERENCE);
  small.write('solutions/21-counter/sum.ts', HELPER);
  return small;
}

describe('kata start --from', () => {
  test('writes only the functions before the level', async () => {
    using small = workbook();
    const { code, out, err } = await small.kata('start', '21', '--from', '2');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain("1 function of the levels before 2 now has the reference's code");
    const text = small.read(STUB);
    expect(text).toContain('    this.#all.push(n);');
    expect(todosIn(text).map(({ symbol }) => symbol)).toEqual(['Counter.sum', 'Counter.drain']);
    expect(text).toContain('/** Counts. */');
    // No remaining function needs it.
    expect(text).not.toContain('zero');
  });

  test('adds the helpers and imports that the reference needs', async () => {
    using small = workbook();
    await small.kata('start', '21', '--from', '3');
    const text = small.read(STUB);
    expect(todosIn(text)).toEqual([]);
    expect(text).toMatch(/\n\/\/ Given: the code of the reference\.\nfunction sum\(/);
    expect(text).toContain("import { todo, zero } from '#harness';");
  });

  test('refuses if the learner has written a part of a class, and changes nothing', async () => {
    using small = workbook();
    const mine = small
      .read(STUB)
      .replace("return todo('21-counter', 'Counter.drain', 'Level 2');", 'return 1;');
    small.write(STUB, mine);
    const { code, err } = await small.kata('start', '21', '--from', '2');
    expect(code).toBe(1);
    expect(err).toMatch(/^Failed to start 21-counter from level 2: you have written a part of Counter, /);
    expect(small.read(STUB)).toBe(mine);
  });

  test("keeps the learner's other code", async () => {
    using small = workbook();
    const mine = `${small.read(STUB)}\nexport const mine = 1;\n`;
    small.write(STUB, mine);
    const { out } = await small.kata('start', '21', '--from', '2');
    expect(small.read(STUB)).toContain('export const mine = 1;');
    const [, kept = ''] = /git cat-file -p ([0-9a-f]{12})$/m.exec(out) ?? [];
    expect(small.show(kept)).toBe(mine);
  });

  test('keeps the line ends of the file', async () => {
    using small = workbook();
    small.write(STUB, small.read(STUB).replaceAll('\n', '\r\n'));
    await small.kata('start', '21', '--from', '2');
    expect(small.read(STUB)).toContain('this.#all.push(n);\r\n');
    expect(small.read(STUB)).not.toMatch(/[^\r]\n/);
  });

  test('rejects a file that is not UTF-8, and changes nothing', async () => {
    using small = workbook();
    const bytes = Buffer.concat([Buffer.from(`${small.read(STUB)}// caf`), Uint8Array.of(0xe9)]);
    writeFileSync(path.join(small.root, STUB), bytes);
    const { code, err } = await small.kata('start', '21', '--from', '2');
    expect(code).toBe(1);
    expect(err).toMatch(/^Failed to start 21-counter from level 2: .* is not valid UTF-8\. /);
    expect(readFileSync(path.join(small.root, STUB)).equals(bytes)).toBe(true);
  });

  test('changes nothing the second time', async () => {
    using small = workbook();
    await small.kata('start', '21', '--from', '2');
    const once = small.read(STUB);
    small.commit();
    expect((await small.kata('start', '21', '--from', '2')).out).toContain('already written');
    expect(small.read(STUB)).toBe(once);
  });

  test('continues after an earlier start in the middle', async () => {
    using small = workbook();
    await small.kata('start', '21', '--from', '2');
    expect((await small.kata('start', '21', '--from', '3')).err).toBe('');
    expect(todosIn(small.read(STUB))).toEqual([]);
  });

  test('fills a list of an earlier level with the written elements', () => {
    const todo = (name: string, level: number) =>
      `export const ${name} = () => todo(KATA, '${name}', 'Level ${level}');\n`;
    const list = '/** All of them (Level 1). */\nexport const all: readonly unknown[] = [];\n';
    const stub = `${todo('one', 1)}\n${todo('three', 3)}\n${list}`;
    const written = 'export const one = () => 1;\n\nexport const three = () => 3;\n\n';
    const reference = new Map([
      ['all.ts', `${written}export const all: readonly unknown[] = [\n  one,\n  three,\n];\n`],
    ]);
    const textFrom = (fromLevel: number) => giveRest({ stub, reference, own: ownFrom(fromLevel) }).text;
    expect(textFrom(2)).toContain('all: readonly unknown[] = [\n  one,\n];');
    expect(textFrom(4)).toContain('all: readonly unknown[] = [\n  one,\n  three,\n];');
  });

  test('leaves out the private methods that only the other functions of the class use', () => {
    const stub = (name: string, level: number) =>
      `  ${name}(): number {\n    return todo(KATA, 'Counter.${name}', 'Level ${level}');\n  }\n`;
    const method = (name: string, call: string) => `  ${name}(): number {\n    return ${call};\n  }\n`;
    const classOf = (...members: readonly string[]) => `export class Counter {\n${members.join('\n')}}\n`;
    const own = ['this.#both() + this.second()', 'this.#below() + this.#both()'] as const;
    const helpers = [method('#both', '1'), method('#below', 'this.#last()'), method('#last', '2')];
    const reference = new Map([
      ['counter.ts', classOf(method('first', own[0]), method('second', own[1]), ...helpers)],
    ]);
    const { text } = giveRest({
      stub: classOf(stub('first', 1), stub('second', 2)),
      reference,
      own: ownFrom(2),
    });
    expect(text).toContain(classOf(method('first', own[0]), stub('second', 2), method('#both', '1')));
  });

  test.each(['1', '9', 'x'])('rejects a level without an earlier one: %s', async (level) => {
    using small = workbook();
    expect((await small.kata('start', '21', '--from', level)).err).toBe(
      `Failed to start 21-counter from "${level}": that is not a level after the first one. Type a level from 2 to 3.`,
    );
  });
});

const SHORT = `# Kata 21 by the short way

## You write

| function | contract |
|---|---|
| \`Counter.drain\` | Empties the counter |

| calls | |
|---|---|
| \`drain\` | 0 |

## The law

**Counts** – in the end the sum is right.
`;

function workbookWithShortWay(): SmallWorkbook {
  const small = workbook();
  small.write('katas/21-counter/SHORT.md', SHORT);
  return small;
}

describe('kata start --short', () => {
  test('leaves the functions of the short way, and prints their lines', async () => {
    using small = workbookWithShortWay();
    const { code, out, err } = await small.kata('start', '21', '--short');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const text = small.read(STUB);
    expect(todosIn(text).map(({ symbol }) => symbol)).toEqual(['Counter.drain']);
    const line = text.split('\n').findIndex((one) => one.includes("'Counter.drain'")) + 1;
    expect(out).toBe(
      [
        `${STUB}: 2 functions now have the reference's code, marked "Given".`,
        'You write the rest:',
        `  ${STUB}:${line}  Counter.drain`,
        'Read katas/21-counter/SHORT.md, and run',
        '  npx vitest katas/21-counter',
      ].join('\n'),
    );
  });

  test("imports the names that the reference uses in the learner's functions and their helpers", async () => {
    using small = workbookWithShortWay();
    const helped = REFERENCE.replace('const all = this.sum();', 'const all = emptied(this.sum());').replace(
      "from './sum.ts';",
      "from './sum.ts';\nimport { emptied } from './emptied.ts';",
    );
    small.write('solutions/21-counter/counter.ts', helped);
    const helper = "import { clamp } from '#harness';\n\nexport const emptied = (n: number) => clamp(n);\n";
    small.write('solutions/21-counter/emptied.ts', helper);
    await small.kata('start', '21', '--short');
    const text = small.read(STUB);
    expect(text).toMatch(/import \{.*\bclamp\b.*\} from '#harness';/);
    expect(text).not.toContain('emptied');
  });

  test('keeps a learner who goes on after a start in the middle', async () => {
    using small = workbookWithShortWay();
    await small.kata('start', '21', '--from', '2');
    expect((await small.kata('start', '21', '--short')).err).toBe('');
    expect(todosIn(small.read(STUB)).map(({ symbol }) => symbol)).toEqual(['Counter.drain']);
  });

  test('changes nothing the second time', async () => {
    using small = workbookWithShortWay();
    await small.kata('start', '21', '--short');
    const once = small.read(STUB);
    expect((await small.kata('start', '21', '--short')).out).toContain('nothing was changed');
    expect(small.read(STUB)).toBe(once);
  });

  test('is remembered for the screen of failures, and undone by reset', async () => {
    using small = workbookWithShortWay();
    const original = small.read(STUB);
    await small.kata('start', '21', '--short');
    expect(isBegunShort(small.root, '21-counter')).toBe(true);
    await small.kata('reset', '21', '--force');
    expect(small.read(STUB)).toBe(original);
    expect(isBegunShort(small.root, '21-counter')).toBe(false);
  });

  test('fills in the first draft with --draft, and names the law that it breaks', async () => {
    using small = workbookWithShortWay();
    small.write('solutions/21-counter/first-draft.ts', REFERENCE.replace('length = 0', 'length = 1'));
    const { out } = await small.kata('start', '21', '--short', '--draft');
    expect(small.read(STUB)).toContain('this.#all.length = 1;');
    expect(todosIn(small.read(STUB))).toEqual([]);
    expect(out).toContain('Its levels pass, and "Counts" fails. See it:');
  });

  test('changes nothing with --draft if every function is written', async () => {
    using small = workbookWithShortWay();
    small.write('solutions/21-counter/first-draft.ts', REFERENCE);
    await small.kata('start', '21', '--short', '--draft');
    expect((await small.kata('start', '21', '--short', '--draft')).out).toBe(
      `${STUB}: every function is already written: nothing was changed.`,
    );
  });

  test('rejects --draft without a first draft', async () => {
    using small = workbookWithShortWay();
    expect((await small.kata('start', '21', '--short', '--draft')).err).toBe(
      'Failed to start 21-counter with the first draft: solutions/21-counter/first-draft.ts does not exist. Write the functions yourself: npm run kata -- start 21 --short',
    );
  });

  test('rejects a kata without a short way', async () => {
    using small = workbook();
    expect((await small.kata('start', '21', '--short')).err).toBe(
      'Failed to start 21-counter by its short way: katas/21-counter/SHORT.md does not exist. Read katas/21-counter/README.md.',
    );
  });
});

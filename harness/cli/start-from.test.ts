import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { runFixture } from '../vitest/fixtures/run-fixture.ts';
import { listKatas, readReference } from '../workbook/katas.ts';
import { root } from '../workbook/sources.ts';
import { givenUpTo } from './given.ts';
import { todosIn } from './stub.ts';
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
  test('writes what comes before the level, and nothing else', async () => {
    using small = workbook();
    const { code, out, err } = await small.kata('start', '21', '--from', '2');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain("1 function of the levels before 2 is the reference's now");
    const text = small.read(STUB);
    expect(text).toContain('    this.#all.push(n);');
    expect(todosIn(text).map(({ symbol }) => symbol)).toEqual(['Counter.sum', 'Counter.drain']);
    expect(text).toContain('/** Counts. */');
    // Nothing that is still to be written needs it.
    expect(text).not.toContain('zero');
  });

  test('brings along what the reference needs', async () => {
    using small = workbook();
    await small.kata('start', '21', '--from', '3');
    const text = small.read(STUB);
    expect(todosIn(text)).toEqual([]);
    expect(text).toMatch(/\n\/\/ Given: as the reference has it\.\nfunction sum\(/);
    expect(text).toContain("import { zero } from '#harness';");
  });

  test('refuses where the learner has written a part of a class, and changes nothing', async () => {
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

  test('keeps what the learner has written beside it', async () => {
    using small = workbook();
    const mine = `${small.read(STUB)}\nexport const mine = 1;\n`;
    small.write(STUB, mine);
    const { out } = await small.kata('start', '21', '--from', '2');
    expect(small.read(STUB)).toContain('export const mine = 1;');
    const [, kept = ''] = /git cat-file -p ([0-9a-f]{12})$/m.exec(out) ?? [];
    expect(small.show(kept)).toBe(mine);
  });

  test('has nothing to do twice', async () => {
    using small = workbook();
    await small.kata('start', '21', '--from', '2');
    const once = small.read(STUB);
    small.commit();
    expect((await small.kata('start', '21', '--from', '2')).out).toContain('written already');
    expect(small.read(STUB)).toBe(once);
  });

  test('goes on from an earlier start in the middle', async () => {
    using small = workbook();
    await small.kata('start', '21', '--from', '2');
    expect((await small.kata('start', '21', '--from', '3')).err).toBe('');
    expect(todosIn(small.read(STUB))).toEqual([]);
  });

  test('fills a list of a level before with what is written', () => {
    const todo = (name: string, level: number) =>
      `export const ${name} = () => todo(KATA, '${name}', 'Level ${level}');\n`;
    const list = '/** All. The list is of Level 1. */\nexport const all: readonly unknown[] = [];\n';
    const stub = `${todo('one', 1)}\n${todo('three', 3)}\n${list}`;
    const written = 'export const one = () => 1;\n\nexport const three = () => 3;\n\n';
    const reference = new Map([
      ['all.ts', `${written}export const all: readonly unknown[] = [\n  one,\n  three,\n];\n`],
    ]);
    const textFrom = (fromLevel: number) => givenUpTo({ stub, reference, fromLevel }).text;
    expect(textFrom(2)).toContain('all: readonly unknown[] = [\n  one,\n];');
    expect(textFrom(4)).toContain('all: readonly unknown[] = [\n  one,\n  three,\n];');
  });

  test.each(['1', '9', 'x'])('takes no level that has none before it: %s', async (level) => {
    using small = workbook();
    expect((await small.kata('start', '21', '--from', level)).err).toBe(
      `Failed to start 21-counter from "${level}": that is no level with another one before it. Type a level from 2 to 3.`,
    );
  });
});

/** Every kata of the workbook in a folder of its own, begun in the middle. */
class BegunInTheMiddle {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'katas-'));
  /** By kata, the first level that is not given. */
  readonly from = new Map<string, number>();

  constructor() {
    const within = (name: string): string => path.join(this.folder, name);
    for (const name of ['harness', 'solutions', 'node_modules', 'docs']) {
      symlinkSync(path.join(root, name), within(name));
    }
    for (const name of ['katas', 'package.json', 'tsconfig.json', 'vitest.config.ts']) {
      cpSync(path.join(root, name), within(name), { recursive: true });
    }
    for (const kata of listKatas(root)) {
      const stub = readFileSync(path.join(kata.folder, `${kata.noun}.ts`), 'utf8');
      const levels = new Set(todosIn(stub).map(({ heading }) => Number(/\d+/.exec(heading)?.[0])));
      const fromLevel = Math.ceil(Math.max(...levels) / 2) + 1;
      this.from.set(kata.id, fromLevel);
      const { text } = givenUpTo({ stub, reference: readReference(kata), fromLevel });
      writeFileSync(within(`katas/${kata.id}/${kata.noun}.ts`), text);
    }
  }
}

describe('A kata that is begun in the middle', () => {
  const begun = new BegunInTheMiddle();
  afterAll(() => rmSync(begun.folder, { recursive: true }));

  test('has no type error', async () => {
    const tsc = path.join(root, 'node_modules/.bin/tsc');
    const run = promisify(execFile)(tsc, ['--noEmit', '-p', 'katas'], { cwd: begun.folder });
    expect(await run.catch(({ stdout }) => ({ stdout }))).toMatchObject({ stdout: '' });
  }, 120_000);

  test('is green in the levels that are given', async () => {
    const tests = listKatas(root).map(({ id, noun }) => `katas/${id}/${noun}.test.ts`);
    const report = path.join(begun.folder, 'report.json');
    const fixture = path.relative(path.join(root, 'harness/vitest/fixtures'), begun.folder);
    await runFixture(fixture, ['--project', 'katas', '--reporter', 'json', '--outputFile', report, ...tests]);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      readonly testResults: readonly {
        readonly name: string;
        readonly assertionResults: readonly {
          readonly ancestorTitles: readonly string[];
          readonly fullName: string;
          readonly status: string;
        }[];
      }[];
    };
    const ofGiven = testResults.flatMap(({ name, assertionResults }) => {
      const from = begun.from.get(path.basename(path.dirname(name))) ?? 0;
      return assertionResults.filter(({ ancestorTitles: [title = ''] }) => {
        const level = Number(/^Level (\d+)/.exec(title)?.[1]);
        return level < from;
      });
    });
    expect(testResults).toHaveLength(tests.length);
    expect(ofGiven.length).toBeGreaterThan(100);
    expect(ofGiven.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName)).toEqual([]);
  }, 240_000);
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { listKatas } from '../workbook/katas.ts';
import { root } from '../workbook/sources.ts';
import { functionsOf } from './kata-functions.ts';
import { HALF, SmallWorkbook } from './workbook.fixture.ts';

/** Returns a workbook with a reference. */
function solved(): SmallWorkbook {
  const workbook = new SmallWorkbook();
  workbook.write('solutions/21-counter/counter.ts', HALF);
  return workbook;
}

describe('npm run kata -- solution', () => {
  test('prints a function of the reference, with its place', async () => {
    using workbook = solved();
    expect(await workbook.kata('solution', '21', 'Counter.add')).toEqual({
      code: 0,
      err: '',
      out: [
        'Counter.add of the reference, in solutions/21-counter/counter.ts:5:',
        '',
        '  add(_n: number): void {',
        '    this.n += 1; // mine',
        '  }',
        '',
        'This is one correct implementation. Yours may differ: the tests decide.',
      ].join('\n'),
    });
  });

  test('prints the helpers of the function, also those of other files and private methods', async () => {
    using workbook = solved();
    const helped = HALF.replace('this.n += 1; // mine', 'this.#grow(stepOf());').replace(
      /\n\}\s*$/,
      '\n\n  #grow(by: number): void {\n    this.n += by;\n  }\n}\n',
    );
    workbook.write('solutions/21-counter/counter.ts', helped);
    workbook.write('solutions/21-counter/step.ts', 'export function stepOf(): number {\n  return 1;\n}\n');
    const { out } = await workbook.kata('solution', '21', 'Counter.add');
    expect(out).toMatch(/Its helper, in solutions\/21-counter\/counter\.ts:\d+:\n\n {2}#grow\(by: number\)/);
    expect(out).toContain('Its helper, in solutions/21-counter/step.ts:1:\n\nexport function stepOf()');
  });

  test('lists the functions and their places, if no function is named', async () => {
    using workbook = solved();
    expect((await workbook.kata('solution', '21')).out.split('\n')).toEqual([
      'The reference of 21-counter:',
      '',
      'Level 1  Counter.add    solutions/21-counter/counter.ts:5',
      'Level 2  Counter.sum    solutions/21-counter/counter.ts:9',
      'Level 2  Counter.drain  solutions/21-counter/counter.ts:13',
      '',
      'solutions/21-counter/README.md maps them to the source of Kubernetes.',
    ]);
  });

  test('suggests a similar function for an unknown one', async () => {
    using workbook = solved();
    expect(await workbook.kata('solution', '21', 'Counter.ad')).toEqual({
      code: 1,
      out: '',
      err: 'Failed to show Counter.ad: 21-counter has no such function. Did you mean "Counter.add"? Its functions: Counter.add, Counter.sum, Counter.drain.',
    });
  });

  test('fails if the reference does not have the function', async () => {
    using workbook = new SmallWorkbook();
    expect((await workbook.kata('solution', '21', 'Counter.add')).err).toBe(
      'Failed to show Counter.add: the reference does not have it. Read solutions/21-counter/README.md.',
    );
  });
});

describe('The functions of a kata', () => {
  test.each(listKatas(root))('are all in the stub and in the reference: $id', ({ id, noun, folder }) => {
    const stub = `katas/${id}/${noun}.ts`;
    const text = readFileSync(path.join(folder, `${noun}.ts`), 'utf8');
    const functions = functionsOf(root, { id, text });
    expect(functions.length, stub).toBeGreaterThan(0);
    for (const { symbol, own = '', reference } of functions) {
      expect(own, `${symbol} of the stub`).toContain('todo(');
      const [file = '', line] = reference?.place.split(':') ?? [];
      const { [Number(line) - 1]: first = '' } = readFileSync(path.join(root, file), 'utf8').split('\n');
      const names = [...symbol.split('.'), 'constructor'];
      expect(
        names.filter((name) => first.includes(name)),
        `${symbol} in ${first}`,
      ).not.toEqual([]);
      expect(reference?.code.split('\n')[0]).toBe(first);
    }
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { declarationsIn, identifiersIn } from './declarations.ts';
import { fromLevel, giveRest, only } from './given.ts';
import { type Kata, listKatas, readReference } from './katas.ts';
import { givenStub } from './short-way.ts';
import { root } from './sources.ts';

const todo = (name: string, level: number): string =>
  `export const ${name} = () => todo(KATA, '${name}', 'Level ${level}');\n`;

const ONE = 'export const one = () => 1;\n';
const THREE = 'export const three = () => helper();\n\nfunction helper() {\n  return 3;\n}\n';

interface Options {
  /** A list or placeholder, in the original stub. */
  readonly stub: string;
  readonly reference: string;
  /** The same as the learner left it. @defaultValue unchanged */
  readonly changed?: string;
  /** The function of Level 1 as the learner left it. @defaultValue unwritten */
  readonly one?: string;
}

/** Returns the list or placeholder after the levels before this one were filled in. */
function given({ stub, reference, changed = stub, one = todo('one', 1) }: Options, level: number): string {
  const { text } = giveRest({
    stub: `${one}\n${todo('three', 3)}\n${changed}`,
    pristine: `${todo('one', 1)}\n${todo('three', 3)}\n${stub}`,
    reference: new Map([['all.ts', `${ONE}\n${THREE}\n${reference}`]]),
    own: fromLevel(level),
  });
  return text.slice(text.indexOf('export const all'));
}

describe('Functions that were filled in', () => {
  const list = {
    stub: '/** All (Level 2). */\nexport const all: readonly unknown[] = [];\n',
    reference: 'export const all: readonly unknown[] = [\n  one,\n  three,\n];\n',
  };

  test('are added to a list, if the level of the list is filled in, too', () => {
    expect(given(list, 2)).toBe('export const all: readonly unknown[] = [];\n');
    expect(given(list, 3)).toBe('export const all: readonly unknown[] = [\n  one,\n];\n');
    expect(given(list, 4)).toBe('export const all: readonly unknown[] = [\n  one,\n  three,\n];\n');
  });

  test('are added to a list that the learner has changed, but no other function is', () => {
    const changed = list.stub.replace('= []', '= [mine]');
    expect(given({ ...list, changed }, 4)).toBe(
      'export const all: readonly unknown[] = [mine,\n  one,\n  three,\n];\n',
    );
    expect(given({ ...list, changed, one: ONE }, 4)).toBe(
      'export const all: readonly unknown[] = [mine,\n  three,\n];\n',
    );
    const written = given({ ...list, changed: list.stub.replace('= []', '= [\n  one,\n]') }, 4);
    expect(written).toBe('export const all: readonly unknown[] = [\n  one,\n  three,\n];\n');
  });

  test('are not added below a comment of the learner', () => {
    const changed = list.stub.replace('= []', '= [\n  one // mine\n]');
    expect(given({ ...list, changed }, 4)).toBe(
      'export const all: readonly unknown[] = [\n  one // mine\n];\n',
    );
  });

  test('are added to an object', () => {
    const object = {
      stub: 'export const all: Parts = { ...noParts };\n',
      reference: 'export const all: Parts = {\n  one,\n  three,\n};\n',
    };
    expect(given(object, 2)).toBe('export const all: Parts = {\n  ...noParts,\n  one,\n};\n');
  });

  test('are added to a list of functions, even if a given function calls them', () => {
    const call = {
      stub: 'export const all = make({\n  one,\n});\n\nexport function both() {\n  return [one(), three()];\n}\n',
      reference:
        'export const all = make({\n  one,\n  both,\n});\n\nexport function both() {\n  return [one(), three()];\n}\n',
    };
    expect(given(call, 3)).toContain('make({\n  one,\n});');
    expect(given(call, 4)).toContain('make({\n  one,\n  both,\n});');
  });

  test('replace a placeholder, unless the learner has changed it', () => {
    const placeholder = {
      stub: 'export const all = (_options: Options): unknown => nothing;\n',
      reference: 'export const all = (options: Options): unknown => three(options);\n',
    };
    expect(given(placeholder, 3)).toBe(placeholder.stub);
    expect(given(placeholder, 4)).toBe(placeholder.reference);
    const changed = placeholder.stub.replace('nothing', 'one');
    expect(given({ ...placeholder, changed }, 4)).toBe(changed);
  });
});

test('Imports that filled-in code needs have one name on a line if they are too long for a line', () => {
  const imported = (names: readonly string[]): string => {
    const { text } = giveRest({
      stub: todo('one', 1),
      reference: new Map([
        [
          'all.ts',
          `import { ${names.join(', ')} } from '#harness';\n\nexport const one = () => [${names.join(', ')}];\n`,
        ],
      ]),
      own: fromLevel(2),
    });
    return text.slice(0, text.indexOf('\n\n'));
  };
  const long = Array.from({ length: 9 }, (_, i) => `aNameOfTheHarness${i}`);
  expect(imported(['a', 'b'])).toMatch(/^import \{ a, b \} from '#harness';$/m);
  expect(imported(long)).toContain(
    `import {\n${long.map((name) => `  ${name},\n`).join('')}} from '#harness';`,
  );
});

test("The short way connects the learner's own functions, unless the module would call them while it loads", () => {
  const elements = ['one', '{ plugin: three }', '{ plugin: three() }', '{ make: () => three() }'];
  const code = `export const all: readonly unknown[] = [\n${elements.map((each) => `  ${each},\n`).join('')}];\n`;
  const { text } = giveRest({
    stub: `${todo('one', 1)}\n${todo('three', 3)}\n/** All (Level 2). */\nexport const all: readonly unknown[] = [];\n`,
    reference: new Map([['all.ts', `${ONE}\n${THREE}\n${code}`]]),
    own: only(['three']),
  });
  expect(text).toContain('[\n  one,\n  { plugin: three },\n  { make: () => three() },\n];');
});

const stubOf = ({ folder, noun }: Kata): string => readFileSync(path.join(folder, `${noun}.ts`), 'utf8');

describe('The stubs of all katas', () => {
  test('use each function where the reference uses it, once they are filled in', () => {
    const missing = listKatas(root).flatMap((kata) => {
      const filled = declarationsIn(givenStub(kata, only([])));
      const declared = new Set(filled.map(({ name }) => name));
      const usedIn = (code: string) => [...identifiersIn(code)].filter((name) => declared.has(name));
      const reference = [...readReference(kata).values()].flatMap(declarationsIn);
      return filled
        .filter(({ code }) => code.startsWith('export const '))
        .flatMap(({ name, code }) => {
          const theirs = reference.find((one) => one.name === name && one.code.startsWith('export '));
          const own = usedIn(code);
          const lost = usedIn(theirs?.code ?? '').filter((one) => !own.includes(one));
          return lost.map((one) => `${kata.id}: ${name} does not use ${one}`);
        });
    });
    expect(missing).toEqual([]);
  });

  test('name the level of each empty list', () => {
    const empty = listKatas(root).flatMap((kata) =>
      declarationsIn(stubOf(kata)).filter(({ code }) => code.endsWith('= [];')),
    );
    expect(empty.map(({ name }) => name)).toContain('filterPlugins');
    expect(empty.filter(({ doc }) => !/\(Level \d+\)/.test(doc)).map(({ name }) => name)).toEqual([]);
  });
});

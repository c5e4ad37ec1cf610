import { describe, expect, test } from 'vitest';
import { codeOf, isTest, listSources, type Source } from './sources.ts';

/** Files that may be longer than others, with the reason. */
const long: { readonly [file: string]: string } = {
  'solutions/22-workqueue/workqueue.ts': 'A kata is one file, because a learner writes one.',
  'solutions/22-workqueue/mistakes.ts': 'Nobody reads a bank from start to end: its entries are independent.',
  'katas/22-workqueue/workqueue.test.ts': 'Readers read one level at a time, in order.',
};

/** Files that may use the machine's time or randomness, with the reason. */
const real: { readonly [start: string]: string } = {
  'harness/testing/': 'It measures real runs, and yields to other tasks between them.',
  'harness/vitest/': 'It times and interrupts real runs.',
  'harness/mount/': 'It serves real sockets.',
  'harness/cli/': 'It paces output for people.',
  'harness/node/network/contract/': 'It runs commands on a real Linux, and waits for the results.',
  'harness/page/': 'It runs in a browser, in real time.',
};

const sources = listSources('', '.ts', '.tsx', '.mjs');
const tests = sources.filter(isTest);
const ours = sources.filter(({ file }) => !file.startsWith('harness/workbook/'));

/** A learner edits only this file of a kata: its contracts are long, and are read level by level. */
const isStub = (file: string): boolean => /^katas\/\d\d-[^/]+\/[^/.]+\.ts$/.test(file);

/** Returns the places where `pattern` occurs in code, as `file:line text`. */
function places(among: readonly Source[], pattern: RegExp): readonly string[] {
  return among.flatMap((source) => {
    const code = codeOf(source);
    if (!pattern.test(code)) return [];
    const lines = code.split('\n');
    return lines.flatMap((line, i) => (pattern.test(line) ? [`${source.file}:${i + 1} ${line.trim()}`] : []));
  });
}

describe('Every file', () => {
  test('is checked', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(tests.length).toBeGreaterThan(5);
  });

  test('has at most 400 lines', () => {
    const lengthMax = 400;
    const tooLong = sources.filter(
      ({ text, file }) => text.split('\n').length > lengthMax && !isStub(file) && !(file in long),
    );
    expect(tooLong.map(({ file, text }) => `${file} has ${text.split('\n').length} lines`)).toEqual([]);
  });

  test('contains no path of a particular machine', () => {
    const texts = [...ours, ...listSources('', '.md', '.json', '.yml', '.yaml')];
    expect(places(texts, /(?:^|[\s'"`(=])\/(?:work|home\/\w+|Users)\//m)).toEqual([]);
  });

  test('gets time and randomness from its arguments', () => {
    const asks =
      /\b(?:setTimeout|setInterval|setImmediate|Date\.now|Math\.random|performance\.now|randomUUID)\(|new Date\(\)/;
    const bound = ours.filter(({ file }) => !Object.keys(real).some((start) => file.startsWith(start)));
    expect(
      places(
        bound.filter((source) => !isTest(source)),
        asks,
      ),
    ).toEqual([]);
  });

  test('has no wall-clock limit in tests: a busy machine is slow, which refutes nothing', () => {
    const limits = /\{ timeout(?::| \}|,)|^ *\}, [\d_]+\);$|\btestTimeout: (?!0)/;
    const files = ours.filter((source) => isTest(source) && !source.file.endsWith('stand-in.test.ts'));
    expect(places(files, limits)).toEqual([]);
  });

  test('never silences the compiler, and silences the linter only with a reason', () => {
    const suppressed = ours.flatMap(({ file, text }) =>
      text.split('\n').flatMap((line, index) => {
        const silent = /@ts-(?:ignore|nocheck)/.test(line) || /biome-ignore(?![^:]*: \S)/.test(line);
        return silent ? [`${file}:${index + 1}`] : [];
      }),
    );
    expect(suppressed).toEqual([]);
  });
});

describe('Every test', () => {
  test('runs', () => {
    expect(
      places(
        tests.filter((test) => ours.includes(test)),
        /\b(?:it|test|describe)(?:\.\w+)*\.(?:only|skip|todo)\b/,
      ),
    ).toEqual([]);
  });

  test('uses real objects instead of mocks', () => {
    expect(
      places(
        tests.filter((test) => ours.includes(test)),
        /\bvi\.(?:mock|spyOn|useFakeTimers)\b/,
      ),
    ).toEqual([]);
  });

  test('has a name without "should"', () => {
    expect(
      places(
        tests.filter((test) => ours.includes(test)),
        /\b(?:it|test)(?:\.each\(.*\))?\(\s*['"`](?:it )?should /,
      ),
    ).toEqual([]);
  });
});

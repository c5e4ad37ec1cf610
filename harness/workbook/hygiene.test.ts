import { describe, expect, test } from 'vitest';
import { codeOf, isTest, listSources, type Source } from './sources.ts';

/** Files that may be longer than the rest, and why. */
const long: { readonly [file: string]: string } = {
  'solutions/22-workqueue/workqueue.ts': 'A kata is one file, because a learner writes one.',
  'solutions/22-workqueue/mistakes.ts': 'A bank is not read through: each entry stands for itself.',
  'katas/22-workqueue/workqueue.test.ts': 'Levels are read one at a time, in their order.',
};

/** Which files may ask the machine for time or chance, and why. */
const real: { readonly [start: string]: string } = {
  'harness/testing/': 'It measures real runs, and lets others have a turn between two of them.',
  'harness/vitest/': 'It times and interrupts real runs.',
  'harness/mount/': 'It serves real sockets.',
  'harness/cli/': 'It paces what a person watches.',
  'harness/node/network/contract/': 'It asks a real Linux, and waits for its answer.',
  'harness/sim/quiescence.ts': 'A callback of setImmediate is called when every microtask has run.',
};

const sources = listSources('', '.ts');
const tests = sources.filter(isTest);
const ours = sources.filter(({ file }) => !file.startsWith('harness/workbook/'));

/** The one file of a kata that a learner edits: its contracts are long, and are read a level at a time. */
const isStub = (file: string): boolean => /^katas\/\d\d-[^/]+\/[^/.]+\.ts$/.test(file);

/** The places where `pattern` occurs in code, as `file:line text`. */
function places(among: readonly Source[], pattern: RegExp): readonly string[] {
  return among.flatMap((source) => {
    const code = codeOf(source);
    if (!pattern.test(code)) return [];
    const lines = code.split('\n');
    return lines.flatMap((line, i) => (pattern.test(line) ? [`${source.file}:${i + 1} ${line.trim()}`] : []));
  });
}

describe('Every file', () => {
  test('is looked at', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(tests.length).toBeGreaterThan(5);
  });

  test('can be read in one sitting', () => {
    const lengthMax = 400;
    const tooLong = sources.filter(
      ({ text, file }) => text.split('\n').length > lengthMax && !isStub(file) && !(file in long),
    );
    expect(tooLong.map(({ file, text }) => `${file} has ${text.split('\n').length} lines`)).toEqual([]);
  });

  test('speaks of no particular machine', () => {
    const texts = [...ours, ...listSources('', '.md', '.json', '.yml', '.yaml')];
    expect(places(texts, /(?:^|[\s'"`(=])\/(?:work|home\/\w+|Users)\//m)).toEqual([]);
  });

  test('leaves time and chance to its arguments', () => {
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

  test("has no limit on the wall's time in a test: a busy machine is slow, and that refutes nothing", () => {
    const limits = /\{ timeout(?::| \}|,)|^ *\}, [\d_]+\);$|\btestTimeout: (?!0)/;
    const files = ours.filter((source) => isTest(source) && !source.file.endsWith('stand-in.test.ts'));
    expect(places(files, limits)).toEqual([]);
  });

  test('silences the compiler never, and the linter with a reason', () => {
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

  test('meets the real thing, not a mock of it', () => {
    expect(
      places(
        tests.filter((test) => ours.includes(test)),
        /\bvi\.(?:mock|spyOn|useFakeTimers)\b/,
      ),
    ).toEqual([]);
  });

  test('is a sentence, and never says "should"', () => {
    expect(
      places(
        tests.filter((test) => ours.includes(test)),
        /\b(?:it|test)(?:\.each\(.*\))?\(\s*['"`](?:it )?should /,
      ),
    ).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { behaviours } from './behaviours.ts';
import { knownDifferences, withKnown } from './known-differences.ts';
import { countingAreas, countsOf, exitCodeOf, explained } from './report.ts';
import type { Outcome } from './run.ts';

const outcome = (area: string, name: string, result: Outcome['result'], more: object = {}): Outcome => ({
  behaviour: {
    area,
    name,
    source: 'kubernetes/kubernetes@v1.36.3 pkg/a.go A',
    needs: [],
    check: async () => {},
  },
  result,
  ...more,
});

describe('The report', () => {
  test('counts the results of an area as soon as all of them are known', () => {
    const outcomes = [
      outcome('Pods', 'a', 'same'),
      outcome('Pods', 'b', 'different'),
      outcome('Services', 'c', 'same'),
      outcome('Pods', 'd', 'same'),
    ];
    const printed: string[] = [];
    const count = countingAreas(
      outcomes.map(({ behaviour }) => behaviour),
      (line) => printed.push(line),
    );
    const linesAfter = outcomes.map((each) => {
      count(each);
      return printed.length;
    });
    expect(linesAfter).toEqual([0, 0, 1, 2]);
    expect(printed).toEqual(['Services           1 same', 'Pods               2 same, 1 different']);
  });

  test('has room for the name of each area', () => {
    const longest = Math.max(...behaviours.map(({ area }) => area.length));
    expect(countsOf('', [outcome('', '', 'same')])).toBe(`${' '.repeat(longest)}  1 same`);
  });

  test('explains a difference, and how to repeat it', () => {
    const different = outcome('Pods', "A pod's phase", 'different', {
      subject: 'GET /api/v1/pods/a',
      mismatches: [{ path: 'status.phase', expected: '"Running"', observed: '"Failed"' }],
    });
    expect(explained(different, 'npm run parity -- --kubeconfig k')).toEqual([
      "different: A pod's phase",
      '  GET /api/v1/pods/a',
      '  status.phase',
      '    expected "Running"',
      '    observed "Failed"',
      '  Upstream: kubernetes/kubernetes@v1.36.3 pkg/a.go A',
      "  npm run parity -- --kubeconfig k --only 'A pod'\\''s phase'",
    ]);
  });

  test('names the missing need of a skipped behaviour', () => {
    const skipped = outcome('Names', 'a', 'skipped', { subject: 'names' });
    expect(explained(skipped, '')).toEqual(['skipped: a (the cluster lacks names)']);
  });

  test.each([
    [['same', 'known', 'skipped'], 0],
    [['same', 'undecided'], 2],
    [['undecided', 'different'], 1],
    [['broken'], 1],
  ] as const)('of %s leads to the exit code %i', (results, code) => {
    expect(exitCodeOf(results.map((result) => outcome('a', 'b', result)))).toBe(code);
  });
});

describe('A known difference', () => {
  const [name = '', reason = ''] = [...knownDifferences][0] ?? [];
  const resultOf = (result: Outcome['result']) => withKnown(outcome('a', name, result));

  test('is expected', () => {
    expect(resultOf('different').result).toBe('known');
    expect(resultOf('undecided').result).toBe('known');
  });

  test('that no longer exists is reported', () => {
    expect(resultOf('same')).toMatchObject({ result: 'different', subject: expect.stringContaining(reason) });
  });

  test('names a behaviour', () => {
    const names = behaviours.map((behaviour) => behaviour.name);
    expect([...knownDifferences.keys()].filter((each) => !names.includes(each))).toEqual([]);
  });
});

describe('The behaviours', () => {
  test('have unique names', () => {
    const names = behaviours.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(150);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test('cite upstream at a tag', () => {
    const source = /^[\w./-]+@v\d[\w.-]* \S+\.go( [\w.]+)?$/;
    expect(behaviours.filter((each) => !source.test(each.source)).map((each) => each.source)).toEqual([]);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import type { TestCase, TestModule } from 'vitest/node';
import { WaitingReporter } from './reporter-waiting.ts';

const module = { relativeModuleId: 'harness/a.test.ts' } as TestModule;
const testCase = (fullName: string) => ({ fullName, module }) as TestCase;

let lines: string[];
let reporter: WaitingReporter;
beforeEach(() => {
  lines = [];
  reporter = new WaitingReporter((line) => lines.push(line));
  reporter.onTestModuleQueued(module);
});

const pass = (minutes: number) => {
  for (let minute = 0; minute < minutes; minute++) reporter.tick();
};

describe('The waiting reporter', () => {
  test('is silent while a file reports results', () => {
    for (let minute = 0; minute < 5; minute++) {
      reporter.onTestCaseReady(testCase(`test ${minute}`));
      reporter.tick();
      reporter.onTestCaseResult(testCase(`test ${minute}`));
    }
    expect(lines).toEqual([]);
  });

  test('names the running tests of a silent file', () => {
    for (const name of ['first', 'second', 'third']) reporter.onTestCaseReady(testCase(name));
    reporter.onTestCaseResult(testCase('second'));
    pass(3);
    expect(lines).toEqual([
      'harness/a.test.ts has reported nothing for 1 min. Running: first, third',
      'harness/a.test.ts has reported nothing for 2 min. Running: first, third',
    ]);
  });

  test('names a file that does not finish loading', () => {
    pass(2);
    expect(lines).toEqual([
      'harness/a.test.ts has reported nothing for 1 min. Running: no test (the file loads, or a hook runs)',
    ]);
  });

  test('forgets a file that has ended', () => {
    reporter.onTestModuleEnd(module);
    pass(3);
    expect(lines).toEqual([]);
  });
});

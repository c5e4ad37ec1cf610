import { describe, expect, test } from 'vitest';
import type { SerializedError } from 'vitest/node';
import { causes, problemOf } from './reporter-problem.ts';

function thrown(name: string, message: string, file: string, during?: string): SerializedError {
  return { name, message, VITEST_TEST_PATH: `/katas/01-counter/${file}`, VITEST_TEST_NAME: during };
}

const stub = thrown('NotImplemented', 'add is not written yet', 'counter.test.ts', 'adds');
const inLevel = thrown('TypeError', 'n is undefined', 'counter.test.ts', 'drains');
const inLaw = (during: string): SerializedError =>
  thrown('ReferenceError', 'tell is not defined', 'counter.properties.test.ts', during);

describe('Uncaught errors', () => {
  const all = [stub, inLevel, inLaw('Tells'), stub, inLaw('Whole')];

  test('count once each, and sort laws first and stubs last', () => {
    expect(causes(all)).toEqual([inLaw('Tells'), inLevel, stub]);
  });

  test('show the most useful error, with its count', () => {
    expect(problemOf('/', [], all)).toMatchObject({
      what: 'an error was not caught, 2 times, first during "Tells"',
      explanation: { message: 'tell is not defined' },
    });
  });

  test('show a single error with its test', () => {
    expect(problemOf('/', [], [stub, inLevel])?.what).toBe('an error was not caught, during "drains"');
  });
});

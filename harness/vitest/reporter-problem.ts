import path from 'node:path';
import type { TestError } from 'vitest';
import type { SerializedError, TestModule } from 'vitest/node';
import { isLaws } from './levels.ts';
import { explain } from './present.ts';
import { codeFrame } from './present-frame.ts';
import type { Screen } from './reporter-screen.ts';

/**
 * Returns the error that kept tests from running or happened outside of them, if any; a file that does not load comes
 * first.
 */
export function problemOf(
  root: string,
  modules: readonly TestModule[],
  unhandled: readonly SerializedError[],
): Screen['problem'] {
  for (const module of modules) {
    const suites = [...module.children.allSuites()];
    const [error] = [...module.errors(), ...suites.flatMap((suite) => suite.errors())];
    if (error) return tell(root, `${path.relative(root, module.moduleId)} could not be loaded`, error);
  }
  const [error] = causes(unhandled);
  if (!error) return undefined;
  if (error.name === 'NeverYielded')
    return tell(
      root,
      'a loop outside of any test: while a file was loading, or after its test was over',
      error,
    );
  if (error.name === 'RunEnded') {
    const file = modules.find(({ moduleId }) => moduleId === error.VITEST_TEST_PATH);
    // Vitest sends finished tests ten times a second, so it may have been a later test.
    const [last] = [...(file?.children.allTests('pending') ?? [])];
    const where = last ? `in "${last.fullName}" or soon after it` : 'before its first test';
    return tell(
      root,
      `a run ended early, ${where}: look for a loop without end, or for growing memory`,
      error,
    );
  }
  const during: unknown = error.VITEST_TEST_NAME;
  const times = unhandled.filter((other) => isSame(other, error)).length;
  const often = times === 1 ? '' : `, ${times} times`;
  const when = typeof during === 'string' ? `, ${often === '' ? '' : 'first '}during "${during}"` : '';
  return tell(root, `an error was not caught${often}${when}`, error);
}

/**
 * Returns each error once, the most useful first: an unwritten function explains least, and a violated law most. Ends
 * of processes are left out if another error here explains them.
 */
export function causes(unhandled: readonly SerializedError[]): readonly SerializedError[] {
  const isEcho = (error: SerializedError): boolean =>
    error.name === 'RunEnded' &&
    unhandled.some((other) => other !== error && other.VITEST_TEST_PATH === error.VITEST_TEST_PATH);
  const rank = ({ name, VITEST_TEST_PATH: file }: SerializedError): number =>
    name === 'NotImplemented' ? 2 : typeof file === 'string' && isLaws(file) ? 0 : 1;
  return unhandled
    .filter((error) => !isEcho(error))
    .toSorted((a, b) => rank(a) - rank(b))
    .filter((error, index, ranked) => ranked.findIndex((other) => isSame(other, error)) === index);
}

/** Do they report the same problem in the same file? */
function isSame(a: SerializedError, b: SerializedError): boolean {
  return a.name === b.name && a.message === b.message && a.VITEST_TEST_PATH === b.VITEST_TEST_PATH;
}

function tell(
  root: string,
  what: string,
  error: TestError | SerializedError,
): NonNullable<Screen['problem']> {
  const explanation = explain([error]);
  const position = explanation?.position;
  return {
    what,
    ...(explanation && { explanation }),
    ...(position && {
      at: `${path.relative(root, position.file)}:${position.line}`,
      frame: codeFrame(position),
    }),
  };
}

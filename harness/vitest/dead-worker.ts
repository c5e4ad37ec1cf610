import type { RunnerTask, RunnerTestCase, RunnerTestFile, TestError } from 'vitest';
import { createMethodsRPC, type TestProject } from 'vitest/node';
import { type LastWord, plain } from './last-words.ts';
import { errorOf, ProcessEnded } from './stall.ts';

/** How a process ended: either `code` or `signal` is set. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Reports the results of a dead process to Vitest, so that no result is lost. It does not matter whether the process
 * died by its watchdog, by its memory use or by its own code. The running test fails, earlier tests keep their
 * results, and later tests are skipped.
 *
 * @param file the test file that it ran, absolute
 * @returns whether the file exists
 */
export async function tellDeath(
  project: TestProject,
  file: string,
  words: readonly LastWord[],
  exit: Exit,
): Promise<boolean> {
  const tasks = project.vitest.state
    .getFiles([file])
    .filter(({ projectName }) => projectName === project.name);
  const rpc = createMethodsRPC(project);
  for (const task of tasks) {
    const results = resultsOf(task, words, exit);
    await rpc.onTaskUpdate(
      results.map(({ id, result, meta }) => [id, result, meta]),
      results.map(({ id, type }) => [id, type === 'test' ? 'test-finished' : 'suite-finished', undefined]),
    );
  }
  return tasks.length > 0;
}

type Result = Pick<RunnerTask, 'id' | 'type' | 'result' | 'meta'>;

/** Returns the result of every test and suite of the file whose result has not arrived; the file itself is last. */
function resultsOf(file: RunnerTestFile, words: readonly LastWord[], exit: Exit): readonly Result[] {
  const error = reasonOf(words, exit);
  const begun = words.findLast((word) => word.says === 'begins');
  const results: Result[] = [];
  const visit = (task: RunnerTask): boolean => {
    if (task.type === 'test') {
      const isCulprit = task.id === begun?.test;
      if (isCulprit) results.push(withResult(task, { state: 'fail', errors: [error] }));
      else if (!hasEnded(task)) results.push(endedOf(task, words) ?? withResult(task, { state: 'skip' }));
      return isCulprit || results.at(-1)?.result?.state === 'fail';
    }
    const isRed = task.tasks.map(visit).includes(true);
    const errors =
      task.type === 'suite' && task === (file as RunnerTask) && begun === undefined ? [error] : [];
    results.push(withResult(task, { state: isRed || errors.length > 0 ? 'fail' : 'pass', errors }));
    return isRed;
  };
  visit(file);
  return results;
}

function withResult(task: RunnerTask, result: RunnerTestCase['result'] & object): Result {
  return { id: task.id, type: task.type, result, meta: task.meta };
}

function hasEnded({ mode, result }: RunnerTestCase): boolean {
  if (mode !== 'run') return true;
  return result !== undefined && ['pass', 'fail', 'skip'].includes(result.state);
}

/** Returns the result of a finished test that the worker could not send before it died. */
function endedOf(task: RunnerTestCase, words: readonly LastWord[]): Result | undefined {
  for (const word of words) {
    if (word.says === 'ended' && word.test === task.id) {
      return word.result && { ...withResult(task, word.result), meta: word.meta };
    }
  }
  return undefined;
}

/**
 * Returns the cause of the other errors first: an offence explains why code spun, and a stall explains why it was
 * killed.
 */
function reasonOf(words: readonly LastWord[], { code, signal }: Exit): TestError {
  const begun = words.findLastIndex((word) => word.says === 'begins');
  for (const word of words.slice(begun + 1)) if (word.says === 'offended') return word.error;
  const running = words.slice(begun + 1).findLast((word) => word.says === 'simulates');
  const scenario = running?.scenario === undefined ? {} : { scenario: running.scenario };
  for (const word of words)
    if (word.says === 'stalled') return { ...plain(errorOf(word.stall)), ...scenario };
  const isMemory = signal === 'SIGABRT' || code === 134;
  const how = isMemory ? 'it ran out of memory' : signal === null ? `with exit code ${code}` : `by ${signal}`;
  return { ...plain(new ProcessEnded(how)), ...scenario };
}

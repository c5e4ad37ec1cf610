import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { tally, tallyLine } from './reporter-tally.ts';
import { kataOf } from './test-place.ts';

/**
 * Prints for each kata which share of its mistakes the laws and the end-to-end test alone kill, and which they miss.
 */
export class LawsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const lines = [...modules].sort((a, b) => (kataOf(a) < kataOf(b) ? -1 : 1)).flatMap(shareOf);
    process.stdout.write(`${[...lines, tallyLine(tally(modules, unhandled))].join('\n')}\n`);
  }
}

function shareOf(module: TestModule): readonly string[] {
  const tests = [...module.children.allTests()].map((test) => ({
    name: test.name.split(' ')[0],
    ofLaws: test.meta().ofLaws,
    failed: test.result().state === 'failed',
  }));
  const dead = tests.filter(({ ofLaws }) => ofLaws === 'dies');
  const alive = tests.filter(({ ofLaws }) => ofLaws === 'survives');
  const hidden = tests.filter(({ ofLaws }) => ofLaws === 'hidden');
  const shown = dead.length + alive.length;
  const share = shown === 0 ? 0 : Math.floor((100 * dead.length) / shown);
  const others = tests.filter(({ ofLaws, failed }) => ofLaws === undefined && failed);
  return [
    `${kataOf(module)}  ${dead.length} of ${shown} mistakes die of the laws alone, ${share} %; ${hidden.length} more are hidden`,
    ...alive.map(({ name }) => `  survives  ${name}`),
    ...others.map(({ name }) => `  could not be tried  ${name}`),
  ];
}

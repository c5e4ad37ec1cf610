import { parseArgs } from 'node:util';
import { listKatas } from '../workbook/katas.ts';
import { root } from '../workbook/sources.ts';
import { watchKata } from './fixtures/watching-learner.ts';

/**
 * `npx tsx harness/vitest/watch-times.ts --times 5 21 24`: measures how long a learner waits after a save in watch
 * mode, in wall-clock time on this machine. Prints the medians in ms: until the first failure of a stub, and until
 * the verdict of the laws on the reference.
 */
const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '3' } },
  allowPositionals: true,
});
const wanted = positionals.length > 0 ? positionals : ['21', '24', '33', '41', '51'];

process.stdout.write("| kata | save to first failure, ms | save to the laws' verdict, ms |\n|---|--:|--:|\n");
for (const { id } of listKatas(root).filter(({ id }) => wanted.includes(id.slice(0, 2)))) {
  const failures: number[] = [];
  const verdicts: number[] = [];
  for (let time = 0; time < Number(values.times); time++) {
    const { failing, again } = await watchKata(id);
    failures.push(failing.tookMs);
    verdicts.push(again.tookMs);
  }
  process.stdout.write(`| ${id} | ${median(failures)} | ${median(verdicts)} |\n`);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

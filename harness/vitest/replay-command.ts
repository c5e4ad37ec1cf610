import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { failedLawOf } from '../workbook/failed-laws.ts';
import type { ReplayAnswer } from '../workbook/replay.ts';
import { bundleHarness, entryPointsOf } from './bundle.ts';

/**
 * `replay-command.ts 24 ["Never too many"]`: writes the {@link ReplayAnswer} for a law that failed in the kata's last run
 * to file descriptor 3, as JSON; without a name, for the first one. It is a separate process, because the learner's code
 * may never end, and may write to stdout.
 */

const [kata = '', name] = process.argv.slice(2);
const root = process.cwd();
writeSync(3, JSON.stringify(await answer()));
process.exit();

async function answer(): Promise<ReplayAnswer> {
  const found = failedLawOf(root, kata, name);
  if ('problem' in found) return found;
  const bundle = await bundleHarness(root);
  const { replayHere }: typeof import('./replay.ts') = await import(pathToFileURL(bundle.replay).href);
  return await replayHere(root, found.kata, found.law, entryPointsOf(root, bundle));
}

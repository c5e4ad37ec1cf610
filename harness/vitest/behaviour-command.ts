import { writeSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mistake } from '../testing/mistakes.ts';
import { readFailedLaws } from '../workbook/failed-laws.ts';
import { bundleHarness, entryPointsOf } from './bundle.ts';

/**
 * `behaviour-command.ts 24-deployment "The laws > …"`: writes the {@link Behaviour} of the learner's code to file
 * descriptor 3, as JSON. It is a separate process, because the code may never end, and may write to stdout.
 */

const [kata = '', test = ''] = process.argv.slice(2);
const root = process.cwd();
const law = readFailedLaws(root, kata)?.laws.find((one) => one.test === test);
if (!law) throw new Error(`Failed to compare ${kata}: "${test}" did not fail in the last run.`);
const bank = path.join(root, 'solutions', kata, 'mistakes.ts');
const { mistakes }: { readonly mistakes: readonly Mistake[] } = await import(pathToFileURL(bank).href);
const bundle = await bundleHarness(root);
const { behaviourOf }: typeof import('./behaviour.ts') = await import(pathToFileURL(bundle.behaviour).href);
const entryPoints = entryPointsOf(root, bundle);
writeSync(3, JSON.stringify(await behaviourOf({ root, kata, law, mistakes, entryPoints })));
process.exit();

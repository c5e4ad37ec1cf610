import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mistake } from '../testing/mistakes.ts';
import { installProperties } from '../testing/property.ts';
import { judgedKata, type Kata } from '../workbook/katas.ts';
import { chooseProbes } from './choose-probes.ts';
import { KataModules } from './judge-modules.ts';
import { captureUncaught } from './judge-run.ts';
import { variantsOf } from './judge-subjects.ts';
import { measureMisconceptions, tableOf } from './misconception-table.ts';
import { PASSED } from './probe.ts';
import { candidateRows } from './signature-recorder.ts';
import { readSignatures, signaturesOf, writeSignatures } from './signatures.ts';

/**
 * `signature-command.ts record|measure 23-replicaset …`, for `npm run judge -- --signatures 23` and
 * `--misconceptions 23`: a separate process, because mistakes may leave code behind that still runs.
 */

/** A learner waits while the probes run: each input costs some 30 ms, and each probe less than 1 ms. */
const CHOICE = { probesMax: 200, inputsMax: 60, margin: 4 };

const root = process.cwd();
const [mode, ...ids] = process.argv.slice(2);
process.env.KATA_SHRINK_MS = '0';
installProperties();
captureUncaught();
for (const id of ids) {
  const kata = judgedKata(root, id);
  if (!kata) throw new Error(`Failed to record the signatures of ${id}: that kata does not exist.`);
  const bank = pathToFileURL(path.join(kata.solution, 'mistakes.ts')).href;
  const { mistakes }: { readonly mistakes: readonly Mistake[] } = await import(bank);
  const modules = new KataModules(root, (what) => import(what));
  if (mode === 'record') await record(kata, modules, mistakes);
  else await measure(kata, modules, mistakes);
}
process.exit();

async function record(kata: Kata, modules: KataModules, mistakes: readonly Mistake[]): Promise<void> {
  const startedAtMs = performance.now();
  const { candidates, rows } = await candidateRows(modules, kata, mistakes, ({ mistake, outcomes }) => {
    const failed = outcomes.filter((outcome) => outcome !== PASSED).length;
    print(`${kata.id}  ${mistake.id} fails ${failed} of ${outcomes.length} probes`);
  });
  const reference = candidates.map(() => PASSED);
  const chosen = await chooseProbes(candidates, [reference, ...rows.map(({ outcomes }) => outcomes)], CHOICE);
  const probes = chosen.flatMap((index) => candidates[index] ?? []);
  const shortened = rows.map(({ mistake, outcomes }) => ({
    mistake,
    outcomes: chosen.flatMap((index) => outcomes[index] ?? []),
  }));
  writeSignatures(kata, signaturesOf(probes, shortened));
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  print(`${kata.id}  ${rows.length} signatures of ${probes.length} probes, in ${seconds} s`);
}

async function measure(kata: Kata, modules: KataModules, mistakes: readonly Mistake[]): Promise<void> {
  const signatures = readSignatures(kata);
  if (!signatures)
    throw new Error(
      `Failed to measure ${kata.id}: it has no signatures. npm run judge -- --signatures ${kata.id.slice(0, 2)} records them.`,
    );
  const bank = { mistakes, variants: await variantsOf(kata) };
  const cases = await measureMisconceptions(
    modules,
    kata,
    bank,
    signatures,
    ({ group, name, like, result }) => {
      if (result.kind !== 'exact')
        print(`${kata.id}  ${group}: ${name} is ${like}: ${result.kind} ${result.named.join(', ')}`);
    },
  );
  for (const line of tableOf(kata.id, cases)) print(line);
}

function print(line: string): void {
  process.stdout.write(`${line.trimEnd()}\n`);
}

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Components } from '../contracts/component.ts';
import { realClock } from '../mount/real-clock.ts';
import { ServedCluster } from '../serving/served-cluster.ts';
import type { Behaviour } from './behaviour.ts';
import { behaviours } from './behaviours.ts';
import { withKnown } from './known-differences.ts';
import { kubeconfigTarget } from './kubeconfig-target.ts';
import { countingAreas, countsOf, exitCodeOf, explained } from './report.ts';
import { type Outcome, runBehaviours, versionOf } from './run.ts';
import type { Target } from './target.ts';

const USAGE = `npm run parity -- [--kubeconfig FILE [--context NAME]] [--only TEXT] [--list]

Checks behaviours of a cluster as a client sees them: the cluster of a kubeconfig, or else our own.
  --kubeconfig FILE  the cluster to check. The behaviours run in namespaces parity-…, and delete them afterwards.
  --context NAME     a context of the kubeconfig instead of the current one
  --only TEXT        only behaviours with this text in their area or name
  --list             prints the names, and checks nothing
Exit code: 0 if each behaviour is the same, 1 after a difference, 2 if some stay undecided.`;

/** Our own cluster is fast enough for this, and its clock waits for it if it is not. */
const OWN_SPEED = 10;

process.exitCode = await parity(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`Failed to check the cluster: ${error instanceof Error ? error.message : error}`);
  return 1;
});

/** `npm run parity`. Resolves with the exit code. */
async function parity(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      kubeconfig: { type: 'string' },
      context: { type: 'string' },
      only: { type: 'string' },
      list: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const chosen = behaviours.filter(({ area, name }) => `${area}: ${name}`.includes(values.only ?? ''));
  if (chosen.length === 0)
    throw new Error(`no behaviour contains ${values.only}. --list prints their names.`);
  if (values.list) {
    for (const { area, name } of chosen) console.log(`${area}: ${name}`);
    return 0;
  }
  const { kubeconfig, context } = values;
  if (kubeconfig !== undefined) {
    const target = await kubeconfigTarget(await readFile(kubeconfig, 'utf8'), { context });
    const repeated = context === undefined ? [] : [`--context ${context}`];
    return check(target, chosen, {
      command: ['npm run parity -- --kubeconfig', kubeconfig, ...repeated].join(' '),
    });
  }
  const { components } = (await import('#components')) as { readonly components: Components };
  await using own = await ServedCluster.of(components, { speed: OWN_SPEED });
  const target = await kubeconfigTarget(own.kubeconfig, { clock: own.clock });
  return await check(target, chosen, { command: 'npm run parity --', judge: withKnown });
}

interface CheckOptions {
  /** The command that checks this cluster. */
  readonly command: string;
  /** Changes the outcomes. @defaultValue they stay as they are */
  readonly judge?: (outcome: Outcome) => Outcome;
}

/** Checks the behaviours, and prints their outcomes. Resolves with the exit code. */
async function check(
  target: Target,
  chosen: readonly Behaviour[],
  { command, judge = (outcome) => outcome }: CheckOptions,
): Promise<number> {
  console.log(`Kubernetes ${await versionOf(target)} at ${target.url}: ${chosen.length} behaviours\n`);
  const startMs = realClock.now();
  const counting = countingAreas(chosen, (line) => console.log(line));
  const onOutcome = (outcome: Outcome): void => counting(judge(outcome));
  const outcomes = (await runBehaviours(target, chosen, { onOutcome })).map(judge);
  const seconds = (realClock.now() - startMs) / 1_000;
  console.log(`${countsOf('all', outcomes)}, in ${seconds.toFixed(0)} s`);
  for (const outcome of outcomes) {
    const lines = explained(outcome, command);
    if (lines.length > 0) console.log(['', ...lines].join('\n'));
  }
  return exitCodeOf(outcomes);
}

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Components } from '../contracts/component.ts';
import { realClock } from '../mount/real-clock.ts';
import { ServedCluster } from '../serving/served-cluster.ts';
import type { Behaviour } from './behaviour.ts';
import { behaviours } from './behaviours.ts';
import { withKnown } from './known-differences.ts';
import { kubeconfigTarget } from './kubeconfig-target.ts';
import { countsByArea, exitCodeOf, explained } from './report.ts';
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
const OWN_SPEED = 20;

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
    const command = ['npm run parity -- --kubeconfig', kubeconfig, ...repeated].join(' ');
    return report(await checked(target, chosen), command);
  }
  const { components } = (await import('#components')) as { readonly components: Components };
  await using own = await ServedCluster.of(components, { speed: OWN_SPEED });
  const target = await kubeconfigTarget(own.kubeconfig, { clock: own.clock });
  return report(withKnown(await checked(target, chosen)), 'npm run parity --');
}

async function checked(target: Target, chosen: readonly Behaviour[]): Promise<readonly Outcome[]> {
  console.log(`Kubernetes ${await versionOf(target)} at ${target.url}: ${chosen.length} behaviours`);
  const startMs = realClock.now();
  const outcomes = await runBehaviours(target, chosen);
  console.log(`Checked in ${((realClock.now() - startMs) / 1_000).toFixed(0)} s.\n`);
  return outcomes;
}

/** Prints the outcomes, and returns the exit code. */
function report(outcomes: readonly Outcome[], command: string): number {
  for (const line of countsByArea(outcomes)) console.log(line);
  for (const outcome of outcomes) {
    const lines = explained(outcome, command);
    if (lines.length > 0) console.log(['', ...lines].join('\n'));
  }
  return exitCodeOf(outcomes);
}

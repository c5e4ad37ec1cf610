import type { Deployment, New } from '../api/objects.ts';
import { deployments } from '../api/resource.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { processCalled } from '../cluster/component-table.ts';
import type { DeploymentEdit } from '../cluster/edit-deployment.ts';
import { editDeployment } from '../cluster/edit-deployment.ts';
import { createWholeCluster, throwFirstFailure } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { type Act, chronicle } from '../drawing/chronicle/chronicle.ts';
import { sayTally, tallies } from '../drawing/chronicle/pod-tally.ts';
import { type Paint, plain } from './colours.ts';
import { wrap } from './wrap.ts';

/** One command that a user types, and an explanation of its effect. */
interface Command {
  readonly typed: string;
  readonly does: 'create' | DeploymentEdit;
  readonly look: string;
  /** Time until the next command, in virtual ms. @defaultValue a minute */
  readonly forMs?: number;
}

/** The effect of a command. */
interface LifeStep {
  readonly typed: string;
  readonly look: string;
  /** The time of the command, in virtual ms. */
  readonly atMs: number;
  readonly acts: readonly (Act & { readonly pods: string })[];
}

const scale = (replicas: number, look: string): Command => ({
  typed: `kubectl scale deployment web --replicas=${replicas}`,
  does: { edit: 'scale', replicas },
  look,
});
const image = (tag: string, look: string): Command => ({
  typed: `kubectl set image deployment web web=nginx:${tag}`,
  does: { edit: 'image', image: `nginx:${tag}` },
  look,
});
const rollout = (edit: 'pause' | 'resume' | 'undo', look: string): Command => ({
  typed: `kubectl rollout ${edit} deployment web`,
  does: { edit },
  look,
});
const remove = (policy: 'Background' | 'Foreground' | 'Orphan', look: string): Command => ({
  typed: `kubectl delete deployment web --cascade=${policy.toLowerCase()}`,
  does: { edit: 'delete', propagationPolicy: policy },
  look,
});
const create = (look: string): Command => ({ typed: 'kubectl create -f web.yaml', does: 'create', look });

const LIFE: readonly Command[] = [
  create(
    'A Deployment with 3 replicas. One controller creates its ReplicaSet, another controller creates the Pods.',
  ),
  scale(
    5,
    'The Deployment controller passes the number on to the ReplicaSet. The template is the same, so the ReplicaSet is, too.',
  ),
  image(
    '1.27',
    'A new template needs a new ReplicaSet. One grows while the other shrinks: never more than 7 Pods (maxSurge 25 %), ' +
      'never fewer than 4 available (maxUnavailable 25 %).',
  ),
  {
    ...image(
      'broken',
      'No new Pod becomes ready, so no more old Pods are deleted: 4 of them keep serving. After ten minutes the ' +
        'controller reports that the roll-out is stuck, and waits.',
    ),
    forMs: 660_000,
  },
  rollout('undo', 'The previous template matches its old ReplicaSet, which becomes the newest revision.'),
  rollout('pause', 'From now on the controller ignores a new template.'),
  image('1.28', 'Nothing happens.'),
  scale(6, 'A paused Deployment still scales.'),
  rollout('resume', 'Now the controller rolls out the new template.'),
  remove(
    'Background',
    'The Deployment is deleted at once. The garbage collector deletes the objects that have lost their owner: first the ' +
      'ReplicaSets, including the old, empty ones, then their Pods.',
  ),
  create('The Deployment is created again.'),
  remove(
    'Foreground',
    'Now the Deployment waits for its ReplicaSets, and each ReplicaSet for its Pods: owners are deleted last.',
  ),
  create('The Deployment is created a third time.'),
  remove('Orphan', 'Only the Deployment is deleted: its ReplicaSet and the Pods stay.'),
  create('A new Deployment of that name finds a ReplicaSet with exactly its template, and adopts it.'),
];

const KEY = { namespace: 'default', name: 'web' };
const labels = { app: 'web' };

const WEB = {
  metadata: KEY,
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.26' }] } },
  },
} as unknown as New<Deployment>;

/** Runs the life of a Deployment in a cluster of three nodes: a series of commands, and the effect of each. */
export async function deploymentLife(components: Partial<Components>): Promise<readonly LifeStep[]> {
  // A fixed schedule: the approved transcript must not depend on random choices.
  const { cluster: whole, processes } = await createWholeCluster({ components, schedule: [], names: false });
  await using cluster = whole;
  await cluster.runFor(60_000);
  const kubectl = cluster.connect('kubectl');
  const chapters: LifeStep[] = [];
  for (const { typed, does, look, forMs = 60_000 } of LIFE) {
    const { revision } = cluster.storage;
    const atMs = cluster.sim.elapsedMs;
    await cluster.settle(
      does === 'create'
        ? kubectl.create(deployments, WEB).then(() => {})
        : editDeployment(kubectl, KEY, does),
    );
    await cluster.runFor(forMs);
    chapters.push({ typed, look, atMs, acts: actsSince(cluster, revision) });
    throwFirstFailure(processes);
  }
  return chapters;
}

function actsSince({ journal }: Cluster, revision: number): LifeStep['acts'] {
  const written = journal.entries.filter((entry) => entry.revision > revision && entry.actor !== 'kubectl');
  const acts = chronicle(written, {
    windowMs: 400,
    without: ['pod-bound', 'pod-started', 'sandbox', 'image', 'container', 'workload-status'],
  });
  const counted = tallies(
    journal,
    acts.map((act) => act.revision),
  );
  return acts.map((act) => ({ ...act, pods: sayTally(counted.get(act.revision) ?? []) }));
}

/** Options of {@link tellLife}. */
interface LifeOptions {
  /** The longest line of text, in characters; the timeline itself may be wider. @defaultValue 100 */
  readonly width?: number;
  /** @defaultValue no colours */
  readonly paint?: Paint;
}

/**
 * Renders each command, the acts of each component below it, and the number of pods of each ReplicaSet at that time.
 */
export function tellLife(
  chapters: readonly LifeStep[],
  { width = 100, paint = plain }: LifeOptions = {},
): string[] {
  const short = chapters.map((chapter) => ({
    ...chapter,
    acts: chapter.acts.map(({ who, what, pods, ...act }) => ({
      ...act,
      who: processCalled(who)?.word ?? who,
      what: inShort(what)
        .replace('sets condition ', 'sets ')
        .replace(' on Deployment web', '')
        .replace('ReplicaSet ', '')
        .replace(/ \(\w+\)$/, ''),
      pods: inShort(pods)
        .replaceAll(' ready', '')
        .replace(/,? (\d+) stopping/g, ' (−$1)'),
    })),
  }));
  const acts = short.flatMap((chapter) => chapter.acts);
  const [who, what] = [widest(acts.map((act) => act.who)), widest(acts.map((act) => act.what))];
  const told = short.flatMap(({ typed, look, atMs, acts }) => {
    let last = '';
    const lines = acts.map((act) => {
      const pods = act.pods === last ? '' : act.pods;
      last = act.pods;
      const when = `+${((act.atMs - atMs) / 1_000).toFixed(1)}s`;
      return `${when.padStart(8)}  ${act.who.padEnd(who)}  ${act.what.padEnd(what)}  ${pods}`.trimEnd();
    });
    const text = wrap(look, width, '# ').map((line) => paint('dim', line));
    return ['', paint('bold', `$ ${typed}`), ...text, ...lines];
  });
  return [...wrap(LEGEND, width), ...told];
}

const LEGEND =
  'The life of a Deployment: each command, and its effects, in seconds since the command. On the left, the controller that ' +
  'acts; on the right, the ready and all Pods of each ReplicaSet, and (−1) for a Pod that is stopping. The work of the ' +
  'kubelets on images and containers is left out: npm run life -- ready shows it. Names are shortened.';

/** Shortens hashes to a unique prefix, and names a single pod by its ReplicaSet. */
function inShort(text: string): string {
  return text.replace(/\bPod (web-\w+)-\w+/, '1 Pod of $1').replace(/\bweb-(\w{5})\w+/g, 'web-$1');
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}

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

/** One command that a user types, and what to look at then. */
interface Command {
  readonly typed: string;
  readonly does: 'create' | DeploymentEdit;
  readonly look: string;
  /** How long until the next one. @defaultValue a minute */
  readonly forMs?: number;
}

/** What came of a command, for people to read. */
interface Chapter {
  readonly typed: string;
  readonly look: string;
  /** When it was typed, in virtual ms. */
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
  create('A Deployment of 3 replicas. One controller makes its ReplicaSet, another the Pods of that.'),
  scale(5, 'The number is passed down. The template is the same, and so is the ReplicaSet.'),
  image(
    '1.27',
    'Another template is another ReplicaSet. One grows as the other shrinks, never more than 7 Pods (maxSurge 25 %), ' +
      'never fewer than 4 available (maxUnavailable 25 %).',
  ),
  {
    ...image(
      'broken',
      'Nothing becomes ready, so nothing more is taken away: 4 old Pods go on serving. After ten minutes the ' +
        'controller says that it is stuck, and waits.',
    ),
    forMs: 660_000,
  },
  rollout('undo', 'The template of before finds its old ReplicaSet, which becomes the newest revision.'),
  rollout('pause', 'From now on a new template is left alone.'),
  image('1.28', 'Nothing.'),
  scale(6, 'A paused Deployment still scales.'),
  rollout('resume', 'Now the new template is rolled out.'),
  remove(
    'Background',
    'The Deployment is gone at once. What it owned has lost its owner, and the garbage collector comes for it: the ' +
      'ReplicaSets first, the old and empty ones too, then their Pods.',
  ),
  create('Once more.'),
  remove(
    'Foreground',
    'Now the Deployment waits for what it owns, and each ReplicaSet for its Pods: the owners go last.',
  ),
  create('And once more.'),
  remove('Orphan', 'The Deployment goes, and takes nothing along: the ReplicaSet stays, and so do its Pods.'),
  create('Another Deployment of that name finds a ReplicaSet of just its template, and adopts it.'),
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

/**
 * The whole life of a Deployment, as one timeline: what people type in the course of it, and what comes of that.
 *
 * Lives it, in a cluster of three nodes.
 */
export async function deploymentLife(components: Partial<Components>): Promise<readonly Chapter[]> {
  // First come, first served: what is read and approved shall not change because of a draw.
  const { cluster: whole, processes } = await createWholeCluster({ components, schedule: [], names: false });
  await using cluster = whole;
  await cluster.runFor(60_000);
  const kubectl = cluster.connect('kubectl');
  const chapters: Chapter[] = [];
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

function actsSince({ journal }: Cluster, revision: number): Chapter['acts'] {
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

/** Which life is told, and how. */
interface LifeOptions {
  /** The longest line of text, in characters; the timeline itself may be wider. @defaultValue 100 */
  readonly width?: number;
  /** @defaultValue no colours */
  readonly paint?: Paint;
}

/** Each command, and below it when each component did what, and how many pods of which ReplicaSet there were then. */
export function tellLife(
  chapters: readonly Chapter[],
  { width = 100, paint = plain }: LifeOptions = {},
): string[] {
  const short = chapters.map((chapter) => ({
    ...chapter,
    acts: chapter.acts.map(({ who, what, pods, ...act }) => ({
      ...act,
      who: processCalled(who)?.word ?? who,
      what: inShort(what)
        .replace(' of Deployment web', '')
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
  'The life of a Deployment: what is typed, and what comes of it, in seconds since then. On the left, which controller ' +
  'did it; on the right, the Pods of each ReplicaSet: how many are ready of how many, and (−1) for one that is stopping. What ' +
  'the kubelets do with images and containers is left out: npm run life -- ready tells that. Names are cut short.';

/** Hashes are cut to what still tells them apart; one pod is one of many. */
function inShort(text: string): string {
  return text.replace(/\bPod (web-\w+)-\w+/, '1 Pod of $1').replace(/\bweb-(\w{5})\w+/g, 'web-$1');
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}

import type { Deployment, New } from '../api/objects.ts';
import { deployments } from '../api/resource.ts';
import type { DeploymentEdit } from '../cluster/edit-deployment.ts';
import { editDeployment } from '../cluster/edit-deployment.ts';
import { createWholeCluster, throwFirstFailure } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { actsSince, type LifeStep, type StepsOptions, tellSteps } from './life-steps.ts';

/** One command that a user types, and an explanation of its effect. */
interface Command {
  readonly typed: string;
  readonly does: 'create' | DeploymentEdit;
  readonly look: string;
  /** Time until the next command, in virtual ms. @defaultValue a minute */
  readonly forMs?: number;
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

/** Renders each command, the acts of each component below it, and the number of pods of each ReplicaSet at that time. */
export function tellLife(steps: readonly LifeStep[], style: Omit<StepsOptions, 'legend'> = {}): string[] {
  return tellSteps(steps, { ...style, legend: LEGEND });
}

const LEGEND =
  'The life of a Deployment: each command, and its effects, in seconds since the command. On the left, the controller that ' +
  'acts; on the right, the ready and all Pods of each ReplicaSet, and (−1) for a Pod that is stopping. The work of the ' +
  'kubelets on images and containers is left out: npm run life -- ready shows it. Names are shortened.';

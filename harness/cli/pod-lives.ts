import type { New, Pod } from '../api/objects.ts';
import { pods } from '../api/resource.ts';
import { type Cluster, createCluster } from '../cluster/cluster.ts';
import { throwFirstFailure } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { podTimeline } from '../drawing/pod-timeline.ts';
import { type Paint, plain } from './colours.ts';
import { wrap } from './wrap.ts';

/** An operation on a pod during its life. */
interface Step {
  /** Time since the previous step, in virtual ms. */
  readonly afterMs: number;
  /** The equivalent command. */
  readonly typed: string;
  readonly does: (cluster: Cluster) => Promise<unknown>;
}

/** The life of a pod, with an explanation. */
interface PodLife {
  readonly look: string;
  readonly spec: Partial<Pod['spec']> & Pick<Pod['spec'], 'containers'>;
  /** @defaultValue no operations */
  readonly steps?: readonly Step[];
  /** How long to follow the pod after the last step, in virtual ms. */
  readonly forMs: number;
}

const NODE = 'node-1';
const KEY = { namespace: 'default', name: 'web' };
const shell = (script: string) => ({ name: 'web', image: 'busybox:1.36', command: ['sh', '-c', script] });

const deletes: Step = {
  afterMs: 10_000,
  typed: 'kubectl delete pod web --wait=false',
  does: (cluster) => cluster.admin.delete(pods, KEY),
};

/** The lives by name: `npm run life -- crash-loop`. */
export const podLives: Readonly<Record<string, PodLife>> = {
  ready: {
    look:
      'A pod that is bound to a node. Its kubelet creates a sandbox, pulls the image, then creates and starts the container. The pod ' +
      'is ready once its readiness probe succeeds.',
    spec: {
      containers: [
        {
          name: 'web',
          image: 'nginx:1.27',
          readinessProbe: { httpGet: { path: '/', port: 80 }, initialDelaySeconds: 2, periodSeconds: 5 },
        },
      ],
    },
    forMs: 30_000,
  },
  'crash-loop': {
    look:
      'A container that exits with an error. The kubelet restarts it at once, then after 10 s, 20 s, 40 s and so on, up to five ' +
      'minutes after its end.',
    spec: { containers: [shell('sleep 1; exit 1')] },
    forMs: 900_000,
  },
  'missing-image': {
    look: 'An image that its registry does not have. The kubelet retries the pull after 10 s, 20 s, 40 s and so on.',
    spec: { containers: [{ name: 'web', image: 'nginx:no-such-tag' }] },
    forMs: 180_000,
  },
  'init-failure': {
    look: 'An init container that fails. The app container does not start, however often the kubelet restarts the init container.',
    spec: {
      initContainers: [{ ...shell('echo no database; exit 1'), name: 'wait-for-db' }],
      containers: [{ name: 'web', image: 'nginx:1.27' }],
    },
    forMs: 120_000,
  },
  liveness: {
    look:
      'A program that stops answering after 30 s. When its liveness probe has failed three times in a row, the kubelet kills the ' +
      'container and starts a new one.',
    spec: {
      terminationGracePeriodSeconds: 5,
      containers: [
        {
          ...shell('touch /tmp/healthy; sleep 30; rm /tmp/healthy; sleep 600'),
          livenessProbe: { exec: { command: ['cat', '/tmp/healthy'] }, periodSeconds: 5 },
        },
      ],
    },
    forMs: 120_000,
  },
  stubborn: {
    look:
      'A program that ignores SIGTERM. The kubelet kills it when its grace period is over, and only then removes the pod ' +
      'from the API.',
    spec: { containers: [shell("trap '' TERM; sleep 3600")] },
    steps: [deletes],
    forMs: 60_000,
  },
  'kubelet-loss': {
    look:
      'The kubelet crashes, and restarts after five minutes. The container keeps running meanwhile. Its end is noticed, and its ' +
      'restart happens, only when the kubelet is back.',
    spec: { containers: [shell('sleep 60; exit 0')] },
    steps: [
      {
        afterMs: 30_000,
        typed: 'systemctl kill --signal=KILL kubelet; sleep 300; systemctl start kubelet',
        does: async (cluster) => {
          cluster.nemesis.strike({
            fault: 'crash',
            process: `kubelet-${NODE}`,
            skip: 0,
            performed: true,
            restartAfterMs: 300_000,
          });
        },
      },
    ],
    forMs: 420_000,
  },
};

/** The commands of a run, and the resulting timeline. */
interface LifeStep {
  readonly typed: string;
  readonly look: string;
  readonly timeline: readonly string[];
}

/** Runs one of {@link podLives} with these components on one node. */
export async function podLife(life: PodLife, components: Partial<Components>): Promise<LifeStep> {
  // A fixed schedule: the approved transcript must not depend on random choices.
  await using cluster = await createCluster({ components, schedule: [] });
  cluster.addMachine(NODE);
  const processes = cluster.runOnNode(NODE, 'kubelet');
  await cluster.runFor(5_000);
  const sinceMs = cluster.sim.elapsedMs;
  const { spec, steps = [], forMs, look } = life;
  await cluster.admin.create(pods, {
    metadata: KEY,
    spec: { nodeName: NODE, ...spec },
  } as unknown as New<Pod>);
  for (const { afterMs, does } of steps) {
    await cluster.runFor(afterMs);
    await does(cluster);
  }
  await cluster.runFor(forMs);
  throwFirstFailure(processes);
  const typed = [
    'kubectl apply -f web.yaml',
    ...steps.map((step) => `sleep ${step.afterMs / 1_000}; ${step.typed}`),
  ];
  return {
    typed: typed.join('; '),
    look,
    timeline: podTimeline(cluster.journal.entries, { ...KEY, sinceMs }),
  };
}

/** Options of {@link tellPodLife}. */
interface TellOptions {
  /** The longest line of text, in characters; the timeline itself may be wider. @defaultValue 100 */
  readonly width?: number;
  /** @defaultValue no colours */
  readonly paint?: Paint;
}

/**
 * Renders the commands, the explanation, and a timeline: each change of the row in `kubectl get pod`, and each event.
 */
export function tellPodLife(chapter: LifeStep, { width = 100, paint = plain }: TellOptions = {}): string[] {
  return [
    paint('bold', `$ ${chapter.typed}`),
    ...wrap(chapter.look, width, '# ').map((line) => paint('dim', line)),
    '',
    ...chapter.timeline,
  ];
}

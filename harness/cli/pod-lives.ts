import type { New, Pod } from '../api/objects.ts';
import { pods } from '../api/resource.ts';
import { type Cluster, createCluster } from '../cluster/cluster.ts';
import { throwFirstFailure } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { podTimeline } from '../drawing/pod-timeline.ts';
import { type Paint, plain } from './colours.ts';
import { wrap } from './wrap.ts';

/** What is done to a pod in the course of its life. */
interface Step {
  /** So long after the step before, in ms. */
  readonly afterMs: number;
  /** What one would type. */
  readonly typed: string;
  readonly does: (cluster: Cluster) => Promise<unknown>;
}

/** One life of a pod, and what there is to see in it. */
interface PodLife {
  readonly look: string;
  readonly spec: Partial<Pod['spec']> & Pick<Pod['spec'], 'containers'>;
  /** @defaultValue nothing is done */
  readonly steps?: readonly Step[];
  /** How long it is followed after the last step, in ms. */
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

/** By the name that one types: `npm run life -- crash-loop`. */
export const podLives: Readonly<Record<string, PodLife>> = {
  ready: {
    look:
      'A pod that was bound to a node. Its kubelet makes a sandbox, pulls the image, creates and starts the container. The pod ' +
      'is ready when its readiness probe has succeeded.',
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
      'A container that exits with an error. It is started again at once, and then after 10 s, 20 s, 40 s and so on, up to five ' +
      'minutes, counted from its end.',
    spec: { containers: [shell('sleep 1; exit 1')] },
    forMs: 900_000,
  },
  'missing-image': {
    look: 'An image that its registry does not have. The kubelet asks again after 10 s, 20 s, 40 s and so on.',
    spec: { containers: [{ name: 'web', image: 'nginx:no-such-tag' }] },
    forMs: 180_000,
  },
  'init-failure': {
    look: 'An init container that fails. The container after it has to wait, however often the first is tried again.',
    spec: {
      initContainers: [{ ...shell('echo no database; exit 1'), name: 'wait-for-db' }],
      containers: [{ name: 'web', image: 'nginx:1.27' }],
    },
    forMs: 120_000,
  },
  liveness: {
    look:
      'A program that no longer answers after 30 s. Three failures of its liveness probe in a row, and the kubelet kills it and ' +
      'starts another.',
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
      'A program that does not listen to SIGTERM. It is killed when its grace period is over, and only then is the pod removed ' +
      'from the API.',
    spec: { containers: [shell("trap '' TERM; sleep 3600")] },
    steps: [deletes],
    forMs: 60_000,
  },
  'kubelet-loss': {
    look:
      'The kubelet dies, and comes back after five minutes. The container runs on meanwhile; its end, and its new start, are seen ' +
      'only when the kubelet is back.',
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

/** What was typed, and what came of it. */
interface Chapter {
  readonly typed: string;
  readonly look: string;
  readonly timeline: readonly string[];
}

/** Lives one of {@link podLives}, with these components, on one node. */
export async function podLife(life: PodLife, components: Partial<Components>): Promise<Chapter> {
  // First come, first served: what is read and approved shall not change because of a draw.
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

/** The longest line of text, in characters; the timeline itself may be wider. */
interface TellOptions {
  /** @defaultValue 100 */
  readonly width?: number;
  /** @defaultValue no colours */
  readonly paint?: Paint;
}

/** What is typed, what there is to see, and then: the row of `kubectl get pod` when it changes, and each event. */
export function tellPodLife(chapter: Chapter, { width = 100, paint = plain }: TellOptions = {}): string[] {
  return [
    paint('bold', `$ ${chapter.typed}`),
    ...wrap(chapter.look, width, '# ').map((line) => paint('dim', line)),
    '',
    ...chapter.timeline,
  ];
}

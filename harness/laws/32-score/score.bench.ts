/**
 * Measures the time to choose the best node for a pod, in a cluster of 5,000 nodes. The filters have left some of the nodes.
 * The time for a plain pod grows with the number of feasible nodes. For a pod with rules about other pods, it grows with
 * the number of pods in the whole cluster, because the plugins count them all.
 */
import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { CycleState, NodeInfo, Snapshot } from '../../contracts/framework/index.ts';
import { forAtLeast, sideBySide } from '../../testing/side-by-side.ts';
import { aSchedulingNode, aSchedulingPod } from '../scheduling/levels/objects.ts';
import { HOSTNAME, ZONE } from '../scheduling/scenario/parts.ts';

const { scoring } = (await import('#components')).components;

const NODES = 5_000;
const PODS_A_NODE_MAX = 12;
const ROUND_MS = 500;

const app = { app: 'web' };
const selector = { labelSelector: { matchLabels: app } };

const infos = Array.from({ length: NODES }, (_, i) =>
  NodeInfo.of(
    aSchedulingNode(`node-${i}`, {
      labels: { [HOSTNAME]: `node-${i}`, [ZONE]: `zone-${i % 3}` },
      allocatable: { cpu: '32', memory: '128Gi', pods: '110' },
      images: [{ names: ['nginx:1'], sizeBytes: 150_000_000 }],
    }),
    Array.from({ length: (i * 7) % PODS_A_NODE_MAX }, (__, j) =>
      aSchedulingPod({
        name: `web-${i}-${j}`,
        labels: j % 3 === 0 ? app : { app: 'db' },
        requests: { cpu: '500m', memory: '1Gi' },
        nodeName: `node-${i}`,
      }),
    ),
  ),
);
const snapshot = new Snapshot(infos);

let made = 0;
/** Returns a new pod, so that a cache by pod object never helps. */
function waiting(spec: Partial<core.PodSpec>): Pod {
  return aSchedulingPod({
    name: `pod-${++made}`,
    labels: app,
    requests: { cpu: '100m', memory: '128Mi' },
    spec,
  });
}

function placing(spec: Partial<core.PodSpec>) {
  return (left: number) =>
    forAtLeast(ROUND_MS, () => {
      const start = (made * 537) % (NODES - left);
      const feasible = infos.slice(start, start + left);
      const request = {
        plugins: scoring.plugins,
        state: new CycleState(),
        pod: waiting(spec),
        feasible,
        snapshot,
      };
      scoring.selectHost(scoring.prioritizeNodes(request), { int: (max) => max - 1 });
      return 1;
    });
}

sideBySide('Pods scored in a cluster of 5,000 nodes', {
  unit: 'pods',
  rounds: 3,
  contenders: { '100 nodes left': () => 100, '500 nodes left': () => 500 },
  measures: {
    'plain pods': placing({}),
    'pods that prefer nodes': placing({
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 5,
              preference: { matchExpressions: [{ key: ZONE, operator: 'In', values: ['zone-1'] }] },
            },
          ],
        },
      },
    }),
    'pods that are to be spread over zones': placing({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'ScheduleAnyway', ...selector },
      ],
    }),
    'pods that shun each other': placing({
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 5, podAffinityTerm: { topologyKey: HOSTNAME, ...selector } },
          ],
        },
      },
    }),
  },
});

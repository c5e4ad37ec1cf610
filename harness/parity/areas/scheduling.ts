import { nodes, pods } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, has, oneOf, valueAt } from '../expectation.ts';
import type { Session } from '../session.ts';
import { pod } from './manifests.ts';
import { ownNode, podFor } from './steps.ts';

const plugin = (file: string) =>
  from(`kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/${file}`);
const affinity = plugin('nodeaffinity/node_affinity.go NodeAffinity.Filter');
const taints = plugin('tainttoleration/taint_toleration.go TaintToleration.Filter');
const room = plugin('noderesources/fit.go Fit.Filter');
const ports = plugin('nodeports/node_ports.go NodePorts.Filter');
const unschedulable = plugin('nodeunschedulable/node_unschedulable.go NodeUnschedulable.Filter');
const pods2 = plugin('interpodaffinity/filtering.go InterPodAffinity.Filter');
const spread = plugin('podtopologyspread/filtering.go PodTopologySpread.Filter');
const gates = plugin('schedulinggates/scheduling_gates.go SchedulingGates.PreEnqueue');
const scores = plugin('nodeaffinity/node_affinity.go NodeAffinity.Score');
const bind = from('kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.bindingCycle');
const failure = from('kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/types.go FitError.Error');
const queue = from(
  'kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go PriorityQueue.MoveAllToActiveOrBackoffQueue',
);

/** Waits until a pod has this node. A pod with another node never gets it. */
const goesTo = (api: Session, name: string, node: string) =>
  api.get(pods, name).becomes({ spec: { nodeName: node } }, { never: { spec: { nodeName: /./ } } });

/** Waits until the scheduler reports that a number of nodes reject a pod for this reason. */
const isUnschedulable = (api: Session, name: string, reason: string, count = 1) =>
  api.get(pods, name).becomes(
    {
      status: {
        phase: 'Pending',
        conditions: has({
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message: new RegExp(`^0/\\d+ nodes are available: (.*, )?${count} ${reason}(,|\\.)`),
        }),
      },
    },
    { never: { spec: { nodeName: /./ } } },
  );

const escaped = (text: string) => text.replace(/[()]/g, '\\$&');

const required = (...matchExpressions: object[]) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
  },
});
const like = (app: string, topologyKey = 'kubernetes.io/hostname') => ({
  requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app } }, topologyKey }],
});
/** Constraints that allow the pods `web` of two zones to differ by one. */
const topologySpreadConstraints = [
  {
    maxSkew: 1,
    topologyKey: 'zone',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'web' } },
  },
];
const request = (resources: object) => ({ resources: { requests: resources } });

/** Expressions about the label `size` of two nodes, 1 and 5, and the size of the node that matches. */
const EXPRESSIONS: readonly (readonly [
  operator: string,
  values: readonly string[] | undefined,
  size: string,
])[] = [
  ['In', ['5', '7'], '5'],
  ['NotIn', ['5'], '1'],
  ['Gt', ['3'], '5'],
  ['Lt', ['3'], '1'],
];

/** Assigning nodes to pods. */
export const scheduling = area(
  'Scheduler',
  bind('A pod gets a node, a condition and an event', async (api) => {
    const node = await ownNode(api, 'one');
    await api.made(pods, podFor(api, 'a'));
    await goesTo(api, 'a', node);
    await api.get(pods, 'a').answers(200, {
      status: { phase: 'Pending', conditions: has({ type: 'PodScheduled', status: 'True' }) },
    });
    await api.events('a').becomes({
      items: has({
        type: 'Normal',
        reason: 'Scheduled',
        message: `Successfully assigned ${api.namespace}/a to ${node}`,
        reportingComponent: 'default-scheduler',
        action: 'Binding',
      }),
    });
  }),
  failure('A pod that fits no node gets a condition and an event', async (api) => {
    await ownNode(api, 'one');
    await api.made(pods, podFor(api, 'a', { spec: { nodeSelector: { parity: 'none' } } }));
    await api.get(pods, 'a').becomes({
      status: {
        conditions: has({
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message:
            /^0\/\d+ nodes are available: .*\d+ node\(s\) didn't match Pod's node affinity\/selector\./,
        }),
      },
    });
    await api.events('a').becomes({
      items: has({
        type: 'Warning',
        reason: 'FailedScheduling',
        message: /^0\/\d+ nodes are available: /,
        action: 'Scheduling',
      }),
    });
  }),
  bind('A pod of another scheduler is left alone', async (api) => {
    await api.made(pods, pod('a', { spec: { schedulerName: 'nobody' } }));
    await api.get(pods, 'a').stays({ spec: { nodeName: absent }, status: { conditions: absent } }, 3);
  }),
  affinity('A node selector chooses the node with its labels', async (api) => {
    await ownNode(api, 'hdd', { labels: { disk: 'hdd' } });
    const ssd = await ownNode(api, 'ssd', { labels: { disk: 'ssd' } });
    await api.made(pods, podFor(api, 'a', { spec: { nodeSelector: { disk: 'ssd' } } }));
    await goesTo(api, 'a', ssd);
  }),
  EXPRESSIONS.map(([operator, values, size]) =>
    affinity(`Of nodes with the sizes 1 and 5, ${operator} ${values} matches ${size}`, async (api) => {
      const own = new Map<string, string>();
      for (const each of ['1', '5'])
        own.set(each, await ownNode(api, `size-${each}`, { labels: { size: each } }));
      await api.made(
        pods,
        podFor(api, 'a', { spec: { affinity: required({ key: 'size', operator, values }) } }),
      );
      await goesTo(api, 'a', own.get(size) ?? '');
    }),
  ),
  affinity('Exists and DoesNotExist ask for a label', async (api) => {
    const gpu = await ownNode(api, 'gpu', { labels: { gpu: '' } });
    const plain = await ownNode(api, 'plain');
    await api.made(
      pods,
      podFor(api, 'a', { spec: { affinity: required({ key: 'gpu', operator: 'Exists' }) } }),
    );
    await api.made(
      pods,
      podFor(api, 'b', { spec: { affinity: required({ key: 'gpu', operator: 'DoesNotExist' }) } }),
    );
    await goesTo(api, 'a', gpu);
    await goesTo(api, 'b', plain);
  }),
  taints('A taint repels a pod that does not tolerate it', async (api) => {
    const tainted = await ownNode(api, 'one', {
      taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
    });
    await api.made(pods, podFor(api, 'a'));
    await isUnschedulable(api, 'a', escaped('node(s) had untolerated taint(s)'));
    await api.made(
      pods,
      podFor(api, 'b', {
        tolerations: [{ key: 'gpu', operator: 'Equal', value: 'yes', effect: 'NoSchedule' }],
      }),
    );
    await goesTo(api, 'b', tainted);
    await api.made(pods, podFor(api, 'c', { tolerations: [{ key: 'gpu', operator: 'Equal', value: 'no' }] }));
    await isUnschedulable(api, 'c', escaped('node(s) had untolerated taint(s)'));
  }),
  plugin('tainttoleration/taint_toleration.go TaintToleration.Score')(
    'PreferNoSchedule only discourages',
    async (api) => {
      const tainted = await ownNode(api, 'one', { taints: [{ key: 'slow', effect: 'PreferNoSchedule' }] });
      await api.made(pods, podFor(api, 'a'));
      await goesTo(api, 'a', tainted);
      const better = await ownNode(api, 'two');
      await api.made(pods, podFor(api, 'b'));
      await goesTo(api, 'b', better);
    },
  ),
  unschedulable('A cordoned node gets no pods', async (api) => {
    const node = await ownNode(api, 'one', { unschedulable: true });
    await api.made(pods, podFor(api, 'a'));
    // Upstream's admission also adds a taint, which another plugin names first.
    await isUnschedulable(api, 'a', 'node\\(s\\) (were unschedulable|had untolerated taint\\(s\\))');
    await api.patch(nodes, node, 'merge', { spec: { unschedulable: null } }).answers(200);
    await goesTo(api, 'a', node);
  }),
  (
    [
      ['CPU', { cpu: '5' }, 'Insufficient cpu'],
      ['memory', { memory: '9Gi' }, 'Insufficient memory'],
      ['an unknown resource', { 'example.com/gpu': '1' }, 'Insufficient example\\.com/gpu'],
    ] as const
  ).map(([name, resources, reason]) =>
    room(`A pod that requests too much of ${name} fits nowhere`, async (api) => {
      await ownNode(api, 'one');
      const limits = 'example.com/gpu' in resources ? { limits: resources } : {};
      await api.made(pods, podFor(api, 'a', { main: { resources: { requests: resources, ...limits } } }));
      await isUnschedulable(api, 'a', reason);
    }),
  ),
  room('A node takes only so many pods', async (api) => {
    await ownNode(api, 'one', { allocatable: { pods: '1' } });
    await api.made(pods, podFor(api, 'a'));
    await api.get(pods, 'a').becomes({ spec: { nodeName: /one$/ } });
    await api.made(pods, podFor(api, 'b'));
    await isUnschedulable(api, 'b', 'Too many pods');
  }),
  room('Requests of all pods of a node are added', async (api) => {
    await ownNode(api, 'one');
    for (const name of ['a', 'b']) {
      await api.made(pods, podFor(api, name, { main: request({ cpu: '1900m' }) }));
      await api.get(pods, name).becomes({ spec: { nodeName: /one$/ } });
    }
    await api.made(pods, podFor(api, 'c', { main: request({ cpu: '300m' }) }));
    await isUnschedulable(api, 'c', 'Insufficient cpu');
  }),
  room('The largest request of an init container counts', async (api) => {
    await ownNode(api, 'one');
    const initContainers = [{ name: 'init', image: 'i', ...request({ cpu: '5' }) }];
    await api.made(pods, podFor(api, 'a', { spec: { initContainers } }));
    await isUnschedulable(api, 'a', 'Insufficient cpu');
  }),
  room('The requests of a sidecar and of the containers are added', async (api) => {
    await ownNode(api, 'one');
    const initContainers = [{ name: 'side', image: 'i', restartPolicy: 'Always', ...request({ cpu: '3' }) }];
    await api.made(pods, podFor(api, 'a', { main: request({ cpu: '2' }), spec: { initContainers } }));
    await isUnschedulable(api, 'a', 'Insufficient cpu');
  }),
  ports('Two pods cannot have one host port', async (api) => {
    await ownNode(api, 'one');
    const main = { ports: [{ containerPort: 80, hostPort: 8181 }] };
    await api.made(pods, podFor(api, 'a', { main }));
    await api.get(pods, 'a').becomes({ spec: { nodeName: /one$/ } });
    await api.made(pods, podFor(api, 'b', { main }));
    await isUnschedulable(api, 'b', escaped("node(s) didn't have free ports for the requested pod ports"));
  }),
  pods2('A pod with affinity to other pods joins them', async (api) => {
    await ownNode(api, 'one');
    const two = await ownNode(api, 'two', { labels: { db: 'here' } });
    await api.made(
      pods,
      podFor(api, 'db', { labels: { app: 'db' }, spec: { nodeSelector: { db: 'here' } } }),
    );
    await goesTo(api, 'db', two);
    await api.made(pods, podFor(api, 'a', { spec: { affinity: { podAffinity: like('db') } } }));
    await goesTo(api, 'a', two);
  }),
  pods2('A pod with affinity to missing pods fits nowhere, unless it matches itself', async (api) => {
    await ownNode(api, 'one');
    const spec = { affinity: { podAffinity: like('db') } };
    await api.made(pods, podFor(api, 'a', { spec }));
    await isUnschedulable(api, 'a', escaped("node(s) didn't match pod affinity rules"));
    await api.made(pods, podFor(api, 'db', { labels: { app: 'db' }, spec }));
    await api.get(pods, 'db').becomes({ spec: { nodeName: /one$/ } });
    await api.get(pods, 'a').becomes({ spec: { nodeName: /one$/ } });
  }),
  pods2('Pods with anti-affinity to each other take different nodes', async (api) => {
    const own = [await ownNode(api, 'one'), await ownNode(api, 'two')];
    const spec = { affinity: { podAntiAffinity: like('web') } };
    for (const name of ['a', 'b']) await api.made(pods, podFor(api, name, { labels: { app: 'web' }, spec }));
    const taken = [];
    for (const name of ['a', 'b']) {
      const { body } = await api.get(pods, name).becomes({ spec: { nodeName: /./ } });
      taken.push(valueAt(body, 'spec.nodeName'));
    }
    api.expect('the nodes', taken.toSorted(), own.toSorted());
    await api.made(pods, podFor(api, 'c', { labels: { app: 'web' }, spec }));
    await isUnschedulable(api, 'c', escaped("node(s) didn't match pod anti-affinity rules"), 2);
  }),
  pods2('The anti-affinity of an existing pod repels new pods', async (api) => {
    await ownNode(api, 'one');
    const spec = { affinity: { podAntiAffinity: like('web') } };
    await api.made(pods, podFor(api, 'shy', { spec }));
    await api.get(pods, 'shy').becomes({ spec: { nodeName: /one$/ } });
    await api.made(pods, podFor(api, 'a', { labels: { app: 'web' } }));
    await isUnschedulable(api, 'a', escaped("node(s) didn't satisfy existing pods anti-affinity rules"));
  }),
  spread('Pods are spread over zones', async (api) => {
    for (const zone of ['a', 'b']) await ownNode(api, zone, { labels: { zone } });
    const spec = { topologySpreadConstraints };
    const names = ['p', 'q', 'r', 's'];
    const used: string[] = [];
    for (const name of names) {
      await api.made(pods, podFor(api, name, { labels: { app: 'web' }, spec }));
      used.push((await api.get(pods, name).becomes({ spec: { nodeName: /./ } })).at('spec.nodeName'));
    }
    const inZone = (zone: string) => used.filter((node) => node === api.unique(zone)).length;
    api.expect('the pods in each zone', [inZone('a'), inZone('b')], [2, 2]);
  }),
  spread('A node without the label of the topology does not count', async (api) => {
    await ownNode(api, 'one');
    await api.made(pods, podFor(api, 'a', { labels: { app: 'web' }, spec: { topologySpreadConstraints } }));
    await isUnschedulable(
      api,
      'a',
      escaped("node(s) didn't match pod topology spread constraints (missing required label)"),
    );
  }),
  gates('A gated pod waits until its gates are removed', async (api) => {
    const node = await ownNode(api, 'one');
    await api.made(pods, podFor(api, 'a', { spec: { schedulingGates: [{ name: 'example.com/g' }] } }));
    await api.get(pods, 'a').becomes({
      status: {
        conditions: has({
          type: 'PodScheduled',
          status: 'False',
          reason: 'SchedulingGated',
          message: 'Scheduling is blocked due to non-empty scheduling gates',
        }),
      },
    });
    await api.patch(pods, 'a', 'merge', { spec: { schedulingGates: null } }).answers(200);
    await goesTo(api, 'a', node);
  }),
  scores('Preferred node affinity chooses among nodes that fit', async (api) => {
    await ownNode(api, 'one');
    const better = await ownNode(api, 'two', { labels: { disk: 'ssd' } });
    const preference = { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] };
    const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] };
    await api.made(pods, podFor(api, 'a', { spec: { affinity: { nodeAffinity } } }));
    await goesTo(api, 'a', better);
  }),
  plugin('interpodaffinity/scoring.go InterPodAffinity.Score')(
    'Preferred anti-affinity chooses the node without such pods',
    async (api) => {
      const one = await ownNode(api, 'one', { labels: { busy: 'yes' } });
      const two = await ownNode(api, 'two');
      await api.made(
        pods,
        podFor(api, 'db', { labels: { app: 'db' }, spec: { nodeSelector: { busy: 'yes' } } }),
      );
      await goesTo(api, 'db', one);
      const podAffinityTerm = {
        labelSelector: { matchLabels: { app: 'db' } },
        topologyKey: 'kubernetes.io/hostname',
      };
      const podAntiAffinity = {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }],
      };
      await api.made(pods, podFor(api, 'a', { spec: { affinity: { podAntiAffinity } } }));
      await goesTo(api, 'a', two);
    },
  ),
  plugin('noderesources/least_allocated.go leastResourceScorer')(
    'Of two nodes, the emptier one gets the pod',
    async (api) => {
      const one = await ownNode(api, 'one', { labels: { busy: 'yes' } });
      const two = await ownNode(api, 'two');
      await api.made(
        pods,
        podFor(api, 'big', {
          main: request({ cpu: '3', memory: '6Gi' }),
          spec: { nodeSelector: { busy: 'yes' } },
        }),
      );
      await goesTo(api, 'big', one);
      await api.made(pods, podFor(api, 'a', { main: request({ cpu: '100m', memory: '100Mi' }) }));
      await goesTo(api, 'a', two);
    },
  ),
  queue('A waiting pod is scheduled when a node appears', async (api) => {
    await api.made(pods, podFor(api, 'a'));
    await api.get(pods, 'a').becomes({ status: { conditions: has({ reason: 'Unschedulable' }) } });
    const node = await ownNode(api, 'late');
    await goesTo(api, 'a', node);
  }),
  queue('A waiting pod is scheduled when another pod leaves room', async (api) => {
    const node = await ownNode(api, 'one');
    await api.made(pods, podFor(api, 'a', { main: request({ cpu: '3' }) }));
    await goesTo(api, 'a', node);
    await api.made(pods, podFor(api, 'b', { main: request({ cpu: '3' }) }));
    await isUnschedulable(api, 'b', 'Insufficient cpu');
    await api.delete(pods, 'a', { gracePeriodSeconds: 0 }).answers(200);
    await goesTo(api, 'b', node);
  }),
  queue('A waiting pod is scheduled when a node gets its label', async (api) => {
    const node = await ownNode(api, 'one');
    await api.made(pods, podFor(api, 'a', { spec: { nodeSelector: { disk: 'ssd' } } }));
    await api.get(pods, 'a').becomes({ status: { conditions: has({ reason: 'Unschedulable' }) } });
    await api.patch(nodes, node, 'merge', { metadata: { labels: { disk: 'ssd' } } }).answers(200);
    await goesTo(api, 'a', node);
  }),
  failure('A pod with a node needs no scheduler', async (api) => {
    const node = await ownNode(api, 'one', { taints: [{ key: 'x', effect: 'NoSchedule' }] });
    await api.made(pods, podFor(api, 'a', { spec: { nodeName: node } }));
    await api.get(pods, 'a').stays({ spec: { nodeName: node }, status: { phase: oneOf('Pending') } }, 2);
  }),
);

import fc from 'fast-check';
import { componentTable } from '../../cluster/component-table.ts';
import type { Fault, NodePort } from '../../faults/fault.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../testing/arbitraries/paced-steps.ts';
import { shortened } from '../../testing/arbitraries/shortened.ts';
import { durations, schedules, seeds } from '../../testing/arbitraries/time.ts';
import { deploymentEdits } from '../../testing/arbitraries/workloads.ts';
import type { Workload as ScenarioClass } from '../../testing/holds.ts';
import type { Step } from '../../testing/rig/play.ts';
import { IMAGES } from './objects.ts';
import type { Operation } from './operations.ts';
import type { ClusterScenario, Workload } from './scenario.ts';

type ClusterStep = Step<Operation>;

/** Otherwise fast-check generates some objects without a prototype, which JSON never contains. */
const plain = { noNullPrototype: true } as const;

const numbers = fc.nat({ max: 11 });
const MACHINES_MAX = 3;
const machines = fc.integer({ min: 1, max: MACHINES_MAX }).map((number) => `node-${number}`);

/** The ports that each process on a machine calls, besides the API. */
const PORTS: Readonly<Record<string, readonly NodePort[]>> = {
  kubelet: ['cri', 'fs', 'net', 'csi'],
  'kube-proxy': ['tools'],
  'kube-flannel': ['tools', 'fs'],
  containerd: ['cni', 'net'],
  cni: ['fs', 'tools'],
};

const processes = Object.values(componentTable).flatMap(({ process }) => (process ? [process] : []));
const controllers = fc.constantFrom(
  ...processes.filter(({ once, only }) => once === 'cluster' && only === undefined).map(({ name }) => name),
);
/** The processes on the way of every pod. Among all controllers, each would be struck seldom. */
const BUSY = [
  'deployment-controller',
  'replicaset-controller',
  'default-scheduler',
  'endpointslice-controller',
  'kubelet-node-1',
  'kubelet-node-2',
] as const;
const nodeProcesses = fc
  .tuple(
    fc.constantFrom(...processes.filter(({ once }) => once === 'node').map(({ name }) => name)),
    machines,
  )
  .map(([role, node]) => `${role}-${node}`);
const SCHEDULER = 'default-scheduler';
const anyProcess = fc.oneof(
  { weight: 2, arbitrary: controllers },
  { weight: 2, arbitrary: fc.constantFrom(...BUSY) },
  { weight: 1, arbitrary: nodeProcesses },
);

const failingCalls: fc.Arbitrary<Fault> = fc
  .tuple(fc.constantFrom(...Object.keys(PORTS)), machines, numbers, fc.boolean(), fc.constantFrom(0, 10_000))
  .map(([role, node, port, performed, afterMs]) => {
    const ports = PORTS[role] ?? [];
    return {
      fault: 'fail-call',
      process: `${role}-${node}`,
      port: ports[port % ports.length] as NodePort,
      performed,
      afterMs,
    };
  });

const partitions: fc.Arbitrary<Fault> = fc.record(
  {
    fault: fc.constant('partition' as const),
    node: machines,
    // Up to the time in which its pods are evicted.
    forMs: fc.oneof(durations, fc.constantFrom(60_000, 420_000)),
  },
  plain,
);
/**
 * At most ten minutes: when a clock is set back, the probes of a container that has started meanwhile wait until the
 * clock has reached its start again. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe
 */
const clockJumps: fc.Arbitrary<Fault> = fc.record(
  {
    fault: fc.constant('clock-jump' as const),
    node: machines,
    byMs: fc.integer({ min: -600_000, max: 600_000 }),
  },
  plain,
);

const struck = (fault: fc.Arbitrary<Fault>): fc.Arbitrary<readonly ClusterStep[]> =>
  fault.map((strike) => [{ afterMs: 0, strike }]);
const done = (operation: fc.Arbitrary<Operation>): fc.Arbitrary<readonly ClusterStep[]> =>
  operation.map((each) => [{ afterMs: 0, ...each }]);

/** Trouble with the one write that only the scheduler sends. */
const bindTrouble: fc.Arbitrary<Fault> = fc.oneof(
  fc.record(
    {
      fault: fc.constant('refuse' as const),
      process: fc.constant(SCHEDULER),
      reason: fc.constantFrom(
        'InternalError' as const,
        'ServiceUnavailable' as const,
        'TooManyRequests' as const,
      ),
      requests: fc.integer({ min: 1, max: 4 }),
      verb: fc.constant('bind'),
    },
    plain,
  ),
  fc.record(
    {
      fault: fc.constant('time-out' as const),
      process: fc.constant(SCHEDULER),
      performed: fc.boolean(),
      verb: fc.constant('bind'),
    },
    plain,
  ),
);
/** Holds back the events of pods alone: the caches of a controller no longer agree with each other. */
const latePods: fc.Arbitrary<Fault> = fc.record(
  {
    fault: fc.constant('delay-watches' as const),
    process: anyProcess,
    forMs: durations,
    resource: fc.constant('pods'),
  },
  plain,
);
const apiTrouble = struck(
  fc.oneof(
    { weight: 6, arbitrary: anyProcess.chain((process) => apiFaults(process)) },
    { weight: 1, arbitrary: bindTrouble },
    { weight: 1, arbitrary: latePods },
  ),
);
const crashing = struck(anyProcess.chain((process) => crashes(process)));
/** A kubelet that restarts while a user deletes a pod by force: it finds containers without a pod. */
const forgetting: fc.Arbitrary<readonly ClusterStep[]> = fc
  .tuple(machines, numbers, fc.integer({ min: 1_000, max: 20_000 }))
  .map(([node, pod, restartAfterMs]) => [
    {
      afterMs: 0,
      strike: { fault: 'crash', process: `kubelet-${node}`, skip: 0, performed: true, restartAfterMs },
    },
    { afterMs: 500, do: 'delete-pod', pod, isForced: true },
  ]);
/** While a process receives no events, pods are deleted. Then it must list again, because the server has compacted. */
const gaps: fc.Arbitrary<readonly ClusterStep[]> = fc
  .tuple(anyProcess, numbers, fc.boolean())
  .map(([process, pod, isForced]): readonly ClusterStep[] => [
    { afterMs: 0, strike: { fault: 'delay-watches', process, forMs: 5_000 } },
    { afterMs: 100, do: 'delete-pod', pod, isForced },
    { afterMs: 0, do: 'delete-pod', pod: pod + 1, isForced: true },
    { afterMs: 1_000, strike: { fault: 'compact' } },
    { afterMs: 0, strike: { fault: 'cut-watches', process } },
  ]);
const callTrouble = struck(failingCalls);
const nodeTrouble = struck(partitions);
const wrongClocks = struck(clockJumps);

/** A machine dies, and returns after a while: before its pods are evicted, or later. Perhaps its Node is deleted. */
const death: fc.Arbitrary<readonly ClusterStep[]> = fc
  .tuple(
    fc.integer({ min: 0, max: MACHINES_MAX - 1 }),
    fc.constantFrom(3_000, 30_000, 90_000, 420_000, 700_000),
    fc.constantFrom('no', 'no', 'at once', 'late'),
  )
  .map(([node, offMs, isDeleted]) => {
    const dies: ClusterStep = { afterMs: 0, strike: { fault: 'node-death', node: `node-${node + 1}` } };
    const goes = (afterMs: number): readonly ClusterStep[] => [{ afterMs, do: 'delete-node', node }];
    return [
      dies,
      ...(isDeleted === 'at once' ? goes(100) : []),
      ...(isDeleted === 'late' ? goes(60_000) : []),
      { afterMs: offMs, do: 'power-on', node },
    ];
  });

const images = fc.constantFrom(...IMAGES);
const editing = done(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record(
        { do: fc.constant('edit' as const), deployment: numbers, edit: deploymentEdits },
        plain,
      ),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('roll-out' as const), workload: numbers, image: images }, plain),
    },
    {
      weight: 1,
      arbitrary: fc.record(
        { do: fc.constant('scale' as const), statefulSet: numbers, replicas: fc.nat({ max: 4 }) },
        plain,
      ),
    },
    {
      weight: 3,
      arbitrary: fc.record(
        {
          do: fc.constant('delete' as const),
          workload: numbers,
          propagationPolicy: fc.constantFrom('Background', 'Foreground', 'Orphan'),
        },
        plain,
      ),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'delete-namespace' as const }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), workload: numbers }, plain) },
    {
      weight: 1,
      arbitrary: fc.record(
        { do: fc.constantFrom('suspend' as const, 'resume' as const), job: numbers },
        plain,
      ),
    },
  ),
);
const disturbing = done(
  fc.oneof(
    fc.record({ do: fc.constant('delete-pod' as const), pod: numbers, isForced: fc.boolean() }, plain),
    fc.record({ do: fc.constant('release-pod' as const), pod: numbers }, plain),
    fc.record({ do: fc.constant('kill-container' as const), pod: numbers }, plain),
  ),
);
const administering = done(
  fc.oneof(
    fc.record(
      { do: fc.constantFrom('cordon' as const, 'uncordon' as const, 'drain' as const), node: numbers },
      plain,
    ),
    fc.record(
      {
        do: fc.constantFrom('taint' as const, 'untaint' as const),
        node: numbers,
        effect: fc.constantFrom('NoSchedule', 'NoExecute'),
      },
      plain,
    ),
    fc.record(
      { do: fc.constantFrom('stop-runtime' as const, 'start-runtime' as const), node: numbers },
      plain,
    ),
  ),
);

/** Returns the first object of each name. */
const named = <T extends { readonly name: string }>(all: readonly T[]): readonly T[] =>
  all.filter(({ name }, i) => all.findIndex((each) => each.name === name) === i);

const deployment: fc.Arbitrary<Workload> = fc.record(
  {
    kind: fc.constant('deployment' as const),
    name: fc.constantFrom('web', 'api'),
    replicas: fc.integer({ min: 1, max: 6 }),
    strategy: fc.constantFrom('RollingUpdate', 'RollingUpdate', 'Recreate'),
    isProbed: fc.boolean(),
    isSticky: fc.boolean(),
    minAvailable: fc.constantFrom(1, 2),
  },
  { requiredKeys: ['kind', 'name', 'replicas', 'strategy', 'isProbed', 'isSticky'], ...plain },
);
const others: fc.Arbitrary<Workload> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('stateful-set' as const),
      name: fc.constant('db'),
      replicas: fc.integer({ min: 1, max: 3 }),
      hasVolume: fc.boolean(),
    },
    plain,
  ),
  fc.record({ kind: fc.constant('daemon-set' as const), name: fc.constant('agent') }, plain),
  fc.record(
    {
      kind: fc.constant('job' as const),
      name: fc.constant('batch'),
      completions: fc.integer({ min: 1, max: 4 }),
      parallelism: fc.integer({ min: 1, max: 3 }),
      seconds: fc.constantFrom(1, 10, 60),
      fails: fc.boolean(),
      isIndexed: fc.boolean(),
      ttlSeconds: fc.constantFrom(0, 30),
    },
    {
      requiredKeys: ['kind', 'name', 'completions', 'parallelism', 'seconds', 'fails'],
      ...plain,
    },
  ),
  fc.record(
    {
      kind: fc.constant('cron-job' as const),
      name: fc.constant('tick'),
      policy: fc.constantFrom('Allow', 'Forbid', 'Replace'),
      seconds: fc.constantFrom(5, 90),
    },
    { requiredKeys: ['kind', 'name'], ...plain },
  ),
  fc.record({ kind: fc.constant('pod' as const), name: fc.constant('solo') }, plain),
  fc.record({ kind: fc.constant('namespace' as const), name: fc.constant('team') }, plain),
);
const workloadsOfUsers: fc.Arbitrary<readonly Workload[]> = fc
  .tuple(fc.array(deployment, { minLength: 1, maxLength: 2 }), fc.array(others, { maxLength: 3 }))
  .map(([first, rest]) => named([...first, ...rest]));

/** Generates scenarios with these groups of steps. */
function clusters(
  groups: fc.Arbitrary<readonly ClusterStep[]>,
  { minLength = 3, maxLength = 10 }: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<ClusterScenario> {
  const scenarios = fc.record(
    {
      seed: seeds,
      schedule: schedules,
      nodes: fc.constantFrom(2, MACHINES_MAX, MACHINES_MAX),
      replicas: fc.constantFrom(1, 2),
      latencyMs: fc.constantFrom(1, 5, 40),
      secured: fc.boolean(),
      workloads: workloadsOfUsers,
      steps: shortened(pacedSteps<ClusterStep>(groups, { minLength, maxLength })),
    },
    plain,
  );
  return scenarios.map((scenario) => ({
    ...scenario,
    workloads: scenario.workloads.filter(canExist(scenario)),
  }));
}

/** Returns whether a cluster has the controllers of a workload. */
const canExist =
  ({ secured }: Pick<ClusterScenario, 'secured'>) =>
  ({ kind }: Workload): boolean =>
    secured || kind !== 'namespace';

const users = fc.oneof({ weight: 3, arbitrary: editing }, { weight: 1, arbitrary: disturbing });

/** The scenario classes of a whole cluster. Each combines users with faults of one kind; the last one has all. */
export const clusterWorkloads: readonly ScenarioClass<ClusterScenario>[] = [
  { name: 'no fault', scenarios: clusters(users) },
  {
    name: 'the death of a machine',
    scenarios: clusters(fc.oneof(death, users), { minLength: 2, maxLength: 6 }),
    runs: 12,
  },
  { name: 'a partition', scenarios: clusters(fc.oneof(nodeTrouble, users), { maxLength: 8 }), runs: 10 },
  // A container that restarts while its clock is set back seems older than its last run, to a kubelet of upstream, too.
  { name: 'a wrong clock', scenarios: clusters(fc.oneof(wrongClocks, editing), { maxLength: 8 }) },
  { name: 'crashes', scenarios: clusters(fc.oneof(crashing, users)), runs: 12 },
  {
    name: 'trouble with the API',
    scenarios: clusters(
      fc.oneof(
        { weight: 3, arbitrary: apiTrouble },
        { weight: 1, arbitrary: gaps },
        { weight: 4, arbitrary: users },
      ),
    ),
    runs: 14,
  },
  { name: 'calls that fail', scenarios: clusters(fc.oneof(callTrouble, users)), runs: 10 },
  { name: 'an administrator', scenarios: clusters(fc.oneof(administering, users)), runs: 12 },
  {
    name: 'killed programs and pods',
    scenarios: clusters(fc.oneof(disturbing, crashing, forgetting)),
    runs: 8,
  },
  {
    name: 'everything at once',
    scenarios: clusters(
      fc.oneof(death, apiTrouble, crashing, callTrouble, nodeTrouble, administering, disturbing, editing),
      { minLength: 4, maxLength: 12 },
    ),
    runs: 16,
  },
];

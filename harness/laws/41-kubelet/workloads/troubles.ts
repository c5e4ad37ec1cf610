import fc from 'fast-check';
import type { Fault } from '../../../faults/index.ts';
import { apiFaults } from '../../../testing/arbitraries/faults.ts';
import type { Workload } from '../../../testing/holds.ts';
import { type KubeletScenario, NODE, type Operation, PROCESS } from '../scenario/index.ts';
import { anyMs, create, remove, scenariosWith, step, strike, wait } from '../scenario/parts.ts';
import { init, pod, podPlans } from './plans.ts';

const runtimeFault = (verbs: readonly string[]): fc.Arbitrary<Fault> =>
  fc.record({
    fault: fc.constant('fail-call' as const),
    process: fc.constant(PROCESS),
    port: fc.constant('cri' as const),
    verb: fc.constantFrom(...verbs),
    performed: fc.boolean(),
    afterMs: fc.constantFrom(0, 0, 2_000),
  });

/** Calls that fail while a pod starts, and while it ends. */
const beginning = runtimeFault([
  'runPodSandbox',
  'podSandboxStatus',
  'createContainer',
  'startContainer',
  'removeContainer',
]);
const looking = runtimeFault(['podSandboxStatus', 'containerStatus', 'listPodSandbox', 'listContainers']);
const ending = runtimeFault([
  'stopContainer',
  'stopPodSandbox',
  'stopPodSandbox',
  'containerStatus',
  'removeContainer',
  'removePodSandbox',
]);

/** The kernel's error for a volume in use. */
const busy: Fault = { fault: 'fail-call', process: PROCESS, port: 'fs', verb: 'unmount', performed: false };

/** A crash of the kubelet at one of its next calls; the start of a pod takes some thirty. */
const crashes: fc.Arbitrary<Fault> = fc.record({
  fault: fc.constant('crash' as const),
  process: fc.constant(PROCESS),
  skip: fc.nat({ max: 40 }),
  performed: fc.boolean(),
  restartAfterMs: fc.oneof(
    fc.integer({ min: 1, max: 60 }),
    fc.integer({ min: 100, max: 900 }),
    fc.integer({ min: 2_000, max: 40_000 }),
  ),
});

/** Changes while the kubelet is down. */
const whileAway = scenariosWith({
  steps: fc
    .record({
      as: podPlans,
      upMs: anyMs,
      forMs: fc.integer({ min: 1_000, max: 30_000 }),
      operations: fc.array(
        fc.constantFrom<Operation>(
          { do: 'delete', pod: 0 },
          { do: 'delete', pod: 0, graceSeconds: 0 },
          { do: 'replace', pod: 0, as: pod() },
          { do: 'set-image', pod: 0, container: 0, image: 'program:2' },
          { do: 'kill-sandbox', pod: 0 },
          { do: 'create', pod: 1, as: pod() },
        ),
        { maxLength: 2 },
      ),
    })
    .map(({ as, upMs: atMs, forMs, operations }) => [
      create(as),
      step({ do: 'restart-kubelet', downMs: forMs }, atMs),
      ...operations.map((operation) => step(operation, 300)),
      wait(forMs + 10_000),
    ]),
});

/** The kubelet crashes at any of its calls. */
const dies = scenariosWith({
  steps: fc
    .tuple(podPlans, fc.array(fc.tuple(anyMs, crashes), { minLength: 1, maxLength: 3 }), anyMs)
    .map(([as, faults, lastlyMs]) => [
      create(as),
      ...faults.map(([afterMs, fault]) => strike(fault, afterMs)),
      remove(lastlyMs + 3_000),
      wait(10_000),
    ]),
});

/** Runtime calls fail, before or after they take effect. */
const runtimeSaysNo = scenariosWith({
  steps: fc
    .record({
      as: podPlans,
      before: fc.array(beginning, { maxLength: 2 }),
      during: fc.array(fc.tuple(anyMs, looking), { maxLength: 2 }),
      after: fc.option(
        fc.tuple(
          anyMs,
          fc.array(fc.oneof({ weight: 4, arbitrary: ending }, { weight: 1, arbitrary: fc.constant(busy) }), {
            minLength: 1,
            maxLength: 3,
          }),
        ),
        {
          nil: undefined,
          freq: 3,
        },
      ),
    })
    .map(({ as, before, during, after }) => [
      ...before.map((fault) => strike(fault)),
      create(as),
      ...during.map(([afterMs, fault]) => strike(fault, afterMs)),
      ...(after ? [...after[1].map((fault) => strike(fault, 1_000)), remove(after[0])] : []),
      wait(20_000),
    ]),
  calm: fc.constant([remove(0), wait(5_000)]),
});

/** The runtime restarts. */
const runtimeRestarts = scenariosWith({
  steps: fc
    .tuple(podPlans, anyMs, fc.integer({ min: 200, max: 40_000 }), fc.boolean(), anyMs)
    .map(([as, atMs, forMs, deleted, lastlyMs]) => [
      create(as),
      step({ do: 'restart-runtime', forMs }, atMs),
      ...(deleted ? [remove(lastlyMs)] : []),
      wait(forMs + 1_000),
    ]),
});

/** Sandboxes die, and containers are OOM-killed, also in pods with init containers. */
const violence = scenariosWith({
  steps: fc
    .tuple(
      fc.oneof(
        podPlans,
        podPlans.map((as) => ({
          ...as,
          inits: [init('init-0'), init('init-1', { runs: as.inits[0]?.runs ?? [] })],
        })),
      ),
      fc.array(
        fc.tuple(
          anyMs,
          fc.constantFrom<Operation>(
            { do: 'kill-sandbox', pod: 0 },
            { do: 'kill-sandbox', pod: 0 },
            { do: 'oom', pod: 0, container: 0 },
            { do: 'oom', pod: 0, container: 1 },
          ),
        ),
        { minLength: 1, maxLength: 2 },
      ),
    )
    .map(([as, faults]) => [
      create(as),
      ...faults.map(([afterMs, operation]) => step(operation, 2_000 + afterMs)),
      wait(30_000),
    ]),
});

/**
 * The machine loses its power. CRI-O then removes all containers, and with them their exit codes: such pods have the policy Always
 * here.
 */
const reboot = scenariosWith({
  steps: fc
    .tuple(podPlans, podPlans, anyMs, fc.integer({ min: 500, max: 20_000 }))
    .map(([as, other, atMs, downMs]) => [
      create(as),
      create(other, 0, 1),
      step({ do: 'reboot', downMs }, 1_000 + atMs),
      wait(downMs + 20_000),
    ]),
  profiles: ['containerd', 'cri-dockerd'],
});

const rebootWiped = scenariosWith({
  steps: fc
    .tuple(podPlans, anyMs, fc.integer({ min: 500, max: 20_000 }))
    .map(([as, atMs, downMs]) => [
      create({ ...as, restartPolicy: 'Always' }),
      step({ do: 'reboot', downMs }, 1_000 + atMs),
      wait(downMs + 20_000),
    ]),
  profiles: ['cri-o'],
});

/** Faults of the API. */
const apiTrouble = scenariosWith({
  steps: fc
    .tuple(
      podPlans,
      fc.array(fc.tuple(anyMs, apiFaults(PROCESS)), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      anyMs,
    )
    .map(([as, faults, deleted, lastlyMs]) => [
      create(as),
      ...faults.map(([afterMs, fault]) => strike(fault, afterMs)),
      ...(deleted ? [remove(lastlyMs)] : []),
      wait(4_000),
    ]),
  calm: fc.constant([step({ do: 'create', pod: 1, as: pod() }), remove(4_000), wait(5_000)]),
});

/** The node is cut off for a while, and objects change meanwhile. */
const partition = scenariosWith({
  steps: fc
    .record({
      as: podPlans,
      atMs: anyMs,
      forMs: fc.integer({ min: 2_000, max: 60_000 }),
      operation: fc.constantFrom<Operation>(
        { do: 'nothing' },
        { do: 'delete', pod: 0 },
        { do: 'replace', pod: 0, as: pod() },
        { do: 'meddle', pod: 0, with: 'ready' },
      ),
    })
    .map(({ as, atMs, forMs, operation }) => [
      create(as),
      strike({ fault: 'partition', node: NODE, forMs }, atMs),
      step(operation, 1_000),
      wait(forMs),
    ]),
});

/** A busy runtime lists its sandboxes and containers late, while pods are created. */
const lateLists = scenariosWith({
  listsAfterMs: fc.constantFrom(900, 1_400),
  steps: fc
    .tuple(anyMs, anyMs, anyMs, fc.boolean())
    .map(([first, second, third, isDeleted]) => [
      create(pod(), 2_500 + first),
      create(pod(), second, 1),
      create(pod(), third, 2),
      ...(isDeleted ? [remove(3_000)] : []),
      wait(5_000),
    ]),
});

/** Workloads with faults. */
export const troubleWorkloads: readonly Workload<KubeletScenario>[] = [
  { name: 'changes while the kubelet is down', scenarios: whileAway, runs: 8 },
  { name: 'the kubelet crashes', scenarios: dies, runs: 12 },
  { name: 'the runtime returns errors', scenarios: runtimeSaysNo, runs: 12 },
  { name: 'the runtime restarts', scenarios: runtimeRestarts },
  { name: 'sandbox and OOM kills', scenarios: violence, runs: 12 },
  { name: 'the power fails', scenarios: fc.oneof(reboot, reboot, rebootWiped) },
  { name: 'faults of the API', scenarios: apiTrouble, runs: 10 },
  { name: 'a partition', scenarios: partition },
  { name: 'late lists of the runtime', scenarios: lateLists, runs: 8 },
];

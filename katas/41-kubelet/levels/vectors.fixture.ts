/** Upstream's test tables of kubelet decisions, converted to pods: `harness/conformance/kubelet.json`. */
import type { PodPhase } from '#given/41-kubelet';
import type { core, ProbeResult } from '#harness';
import { named, type VectorCase, vectors } from '#harness/testing';
import { computePodActions, getPhase } from '#kata/41-kubelet/kubelet';
import { type Observed, observed, podOf, probesOf, type Stage, statusesOf } from './pods.fixture.ts';

interface PhaseContainer {
  readonly name: string;
  readonly restartPolicy?: string;
  readonly restartable?: boolean;
}

interface PhaseInput {
  readonly spec: {
    readonly restartPolicy: string;
    readonly containers: readonly PhaseContainer[];
    readonly initContainers?: readonly PhaseContainer[];
  };
  readonly statuses: Readonly<Record<string, Stage>>;
  readonly podIsTerminal: boolean;
}

interface ActionContainer extends Omit<Observed, 'state'> {
  readonly state: Observed['state'] | 'none';
  readonly restartPolicy?: string;
  readonly restartable?: boolean;
  readonly specChanged?: boolean;
  readonly probes?: readonly ('startup' | 'liveness')[];
  readonly liveness?: ProbeResult;
  readonly startup?: ProbeResult;
}

interface ActionsInput {
  readonly restartPolicy: string;
  readonly sandbox: { readonly state: 'READY' | 'NOTREADY'; readonly attempt: number; readonly ip: string };
  readonly containers: readonly ActionContainer[];
  readonly initContainers?: readonly ActionContainer[];
  readonly ephemeralContainers?: readonly ActionContainer[];
}

interface ActionsExpect {
  readonly killPod: boolean;
  readonly createSandbox: boolean;
  readonly attempt: number;
  readonly start: readonly number[];
  readonly initStart: readonly number[];
  readonly ephemeralStart?: readonly number[];
  readonly kill: readonly (number | string)[];
}

/** Topic of a row: each level uses the rows of its topics. */
type Topic = 'plain' | 'own policy' | 'sidecars' | 'ephemeral';

function topicOf(containers: readonly Pick<PhaseContainer, 'restartPolicy' | 'restartable'>[]): Topic {
  if (containers.some(({ restartable }) => restartable)) return 'sidecars';
  return containers.some(({ restartPolicy }) => restartPolicy) ? 'own policy' : 'plain';
}

/** Returns the rows of getPhase of a topic, each with its name. */
export const phaseRows = (topic: Topic, count: number) =>
  named(
    vectors<PhaseInput, { readonly phase: PodPhase }>(
      'kubelet',
      'getPhase',
      count,
      ({ input: { spec } }) => topicOf([...(spec.initContainers ?? []), ...spec.containers]) === topic,
    ),
  );

/** Returns the phase from the learner's `getPhase` for a row. */
export function phaseOf({
  input: { spec, statuses, podIsTerminal },
}: VectorCase<PhaseInput, unknown>): PodPhase {
  const specOf = ({ name, restartPolicy, restartable }: PhaseContainer): core.Container => ({
    name,
    ...(restartable && { restartPolicy: 'Always' }),
    ...(restartPolicy && { restartPolicy }),
  });
  const { restartPolicy, initContainers = [], containers } = spec;
  const pod = podOf({
    restartPolicy,
    initContainers: initContainers.map(specOf),
    containers: containers.map(specOf),
  });
  const podHasInitialized = containers.some(({ name }) => name in statuses);
  return getPhase(pod, statusesOf(statuses), { podIsTerminal, podHasInitialized });
}

/** Describes the arguments of `getPhase` in a row, for the message of a failure. */
export function describePhase({
  input: { spec, statuses, podIsTerminal },
}: VectorCase<PhaseInput, unknown>): string {
  const { restartPolicy, initContainers = [], containers } = spec;
  const describe = (kind: string) => (container: PhaseContainer) => {
    const what = container.restartable ? 'sidecar' : kind;
    const own = container.restartPolicy ? ` with its own policy ${container.restartPolicy}` : '';
    return `${what} ${container.name}${own}: ${statuses[container.name] ?? 'no status'}`;
  };
  const all = [...initContainers.map(describe('init container')), ...containers.map(describe('container'))];
  return `restartPolicy ${restartPolicy}${podIsTerminal ? ', podIsTerminal' : ''}; ${all.join('; ')}; the phase`;
}

/** Describes the arguments of `computePodActions` in a row, for the message of a failure. */
export function describeActions({ input }: VectorCase<ActionsInput, unknown>): string {
  const { restartPolicy, sandbox, containers, initContainers = [], ephemeralContainers = [] } = input;
  const describe = (prefix: string) => (container: ActionContainer, i: number) => {
    const { state, exitCode, restartable, restartPolicy: own, specChanged, startup, liveness } = container;
    return [
      `${prefix}${i} ${state}${exitCode === undefined ? '' : ` with ${exitCode}`}`,
      ...(restartable ? ['a sidecar'] : []),
      ...(own ? [`its own policy ${own}`] : []),
      ...(specChanged ? ['its definition changed'] : []),
      ...(startup ? [`startup probe ${startup}`] : []),
      ...(liveness ? [`liveness probe ${liveness}`] : []),
    ].join(', ');
  };
  const all = [
    ...initContainers.map(describe('init')),
    ...containers.map(describe('c')),
    ...ephemeralContainers.map(describe('debug')),
  ];
  const { state, attempt, ip } = sandbox;
  return `restartPolicy ${restartPolicy}; the sandbox is ${state}, attempt ${attempt}${ip ? '' : ', without an address'}; ${all.join('; ')}; the actions, with containers by index`;
}

/** Returns the rows of computePodActions of a topic, each with its name. */
export const actionRows = (topic: Topic, count: number) =>
  named(
    vectors<ActionsInput, ActionsExpect>('kubelet', 'computePodActions', count, ({ input }) => {
      const { initContainers = [], containers, ephemeralContainers } = input;
      return (ephemeralContainers ? 'ephemeral' : topicOf([...initContainers, ...containers])) === topic;
    }),
  );

/** Returns the result of the learner's `computePodActions` for a row, in the notation of the rows. */
export function actionsOf({ input, expect }: VectorCase<ActionsInput, ActionsExpect>): ActionsExpect {
  const { restartPolicy, sandbox, containers, initContainers = [], ephemeralContainers = [] } = input;
  const specOf = (name: string, container: ActionContainer): core.Container => ({
    name,
    image: 'image',
    ...(container.restartable && { restartPolicy: 'Always' }),
    ...(container.restartPolicy && { restartPolicy: container.restartPolicy }),
    ...(container.probes?.includes('startup') && { startupProbe: {} }),
    ...(container.probes?.includes('liveness') && { livenessProbe: {} }),
  });
  const name = (prefix: string) => (container: ActionContainer, i: number) =>
    [`${prefix}${i}`, container] as const;
  const [init, regular, ephemeral] = [
    initContainers.map(name('init')),
    containers.map(name('c')),
    ephemeralContainers.map(name('debug')),
  ];
  const pod = podOf({
    ...(restartPolicy && { restartPolicy }),
    initContainers: init.map(([each, container]) => specOf(each, container)),
    containers: regular.map(([each, container]) => specOf(each, container)),
    ...(ephemeral.length > 0 && {
      ephemeralContainers: ephemeral.map(([each]) => ({ name: each, image: 'image' })),
    }),
  });
  const all = [...init, ...regular, ...ephemeral];
  const there = all.flatMap(([each, { state, exitCode, specChanged }]) =>
    state === 'none'
      ? []
      : [
          [
            each,
            { state, ...(exitCode !== undefined && { exitCode }), ...(specChanged && { hash: 'another' }) },
          ] as const,
        ],
  );
  const { state, attempt, ip } = sandbox;
  const podStatus = observed(pod, Object.fromEntries(there), [
    { state: `SANDBOX_${state}`, attempt, ips: [ip] },
  ]);
  const actions = computePodActions(pod, podStatus, probesOf(Object.fromEntries(all)));
  return {
    killPod: actions.killPod,
    createSandbox: actions.createSandbox,
    attempt: actions.attempt,
    start: actions.containersToStart.toSorted(),
    initStart: [...actions.initContainersToStart],
    ...(expect.ephemeralStart && { ephemeralStart: actions.ephemeralContainersToStart.toSorted() }),
    kill: [...actions.containersToKill.values()].map((kill) =>
      kill.name.startsWith('c') ? Number(kill.name.slice(1)) : kill.name,
    ),
  };
}

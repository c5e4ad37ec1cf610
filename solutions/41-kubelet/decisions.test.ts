import { describe, expect, test } from 'vitest';
import type { core, PodPhase } from '#harness';
import { named, vectors } from '#harness/testing';
import { Backoff, computePodActions, getPhase } from './kubelet.ts';
import { type Observed, observed, podOf, probesOf } from './pods.fixture.ts';

interface PhaseInput {
  readonly spec: {
    readonly restartPolicy: string;
    readonly containers: readonly { readonly name: string }[];
    readonly initContainers?: readonly { readonly name: string; readonly restartable?: boolean }[];
  };
  readonly statuses: Readonly<Record<string, string>>;
  readonly podIsTerminal: boolean;
}

const terminated = (exitCode: number) => ({ terminated: { exitCode } });
const stages: Readonly<Record<string, Partial<core.ContainerStatus>>> = {
  running: { state: { running: {} } },
  started: { state: { running: {} }, started: true },
  stopped: { state: terminated(0) },
  succeeded: { state: terminated(0) },
  failed: { state: terminated(-1) },
  waiting: { state: { waiting: {} } },
  waitingAfterExit0: { state: { waiting: {} }, lastState: terminated(0) },
  waitingAfterFailure: { state: { waiting: {} }, lastState: terminated(-1) },
};

const statusesOf = (input: Readonly<Record<string, string>>): core.ContainerStatus[] =>
  Object.entries(input).map(([name, stage]) => ({
    name,
    ready: false,
    restartCount: 0,
    image: '',
    imageID: '',
    ...stages[stage],
  }));

describe('The decisions of a kubelet', () => {
  test.each(named(vectors<PhaseInput, { phase: PodPhase }>('kubelet', 'getPhase', 41)))(
    'give a phase as upstream: %s',
    (_, { input: { spec, statuses, podIsTerminal }, expect: { phase } }) => {
      const initContainers = (spec.initContainers ?? []).map(({ name, restartable }) => ({
        name,
        ...(restartable && { restartPolicy: 'Always' }),
      }));
      const pod = podOf({ ...spec, initContainers });
      const podHasInitialized = spec.containers.some(({ name }) => name in statuses);
      expect(getPhase(pod, statusesOf(statuses), { podIsTerminal, podHasInitialized })).toBe(phase);
    },
  );

  type Container = Omit<Observed, 'state'> & {
    readonly state: Observed['state'] | 'none';
    readonly specChanged?: boolean;
    readonly liveness?: 'Failure';
    readonly startup?: 'Failure';
  };
  interface ActionsInput {
    readonly restartPolicy: string;
    readonly sandbox: { readonly state: 'READY' | 'NOTREADY'; readonly attempt: number; readonly ip: string };
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
  }
  interface ActionsExpect {
    readonly killPod: boolean;
    readonly createSandbox: boolean;
    readonly attempt: number;
    readonly start: readonly number[];
    readonly initStart: readonly number[];
    readonly kill: readonly (number | string)[];
  }
  test.each(named(vectors<ActionsInput, ActionsExpect>('kubelet', 'computePodActions', 21)))(
    'say what to do as upstream: %s',
    (_, { input, expect: expected }) => {
      const { restartPolicy, sandbox, containers, initContainers = [] } = input;
      const all = [
        ...containers.map((container, i) => [`c${i}`, container] as const),
        ...initContainers.map((container, i) => [`init${i}`, container] as const),
      ];
      const pod = podOf({
        ...(restartPolicy && { restartPolicy }),
        containers: containers.map((__, i) => `c${i}`),
        initContainers: initContainers.map((__, i) => `init${i}`),
      });
      const there = all.flatMap(([name, { state, exitCode, specChanged }]) =>
        state === 'none'
          ? []
          : [
              [
                name,
                { state, ...(exitCode !== undefined && { exitCode }), ...(specChanged && { hash: '' }) },
              ] as const,
            ],
      );
      const { state, attempt, ip } = sandbox;
      const status = observed(pod, Object.fromEntries(there), [
        {
          state: `SANDBOX_${state}`,
          metadata: { name: 'web', namespace: 'default', uid: 'u1', attempt },
          ips: [ip],
        },
      ]);
      const actions = computePodActions(pod, status, probesOf(Object.fromEntries(all)));
      expect({
        killPod: actions.killPod,
        createSandbox: actions.createSandbox,
        attempt: actions.attempt,
        start: actions.containersToStart,
        initStart: actions.initContainersToStart,
        kill: [...actions.containersToKill.values()].map(({ name }) =>
          name.startsWith('c') ? Number(name.slice(1)) : name,
        ),
      }).toEqual(expected);
    },
  );

  interface BackoffInput {
    readonly initialSeconds: number;
    readonly maxSeconds: number;
    readonly failures?: number;
    readonly gcAfterSeconds?: readonly number[];
    readonly ticks?: readonly number[];
  }
  interface BackoffExpect {
    readonly delays?: readonly number[];
    readonly kept?: readonly boolean[];
    readonly inBackOff?: readonly boolean[];
    readonly delaysBeforeRestart?: readonly number[];
  }
  const rows = vectors<BackoffInput, BackoffExpect>('kubelet', 'backoff', 4, ({ id }) => id !== 'backoff-02');
  test.each(named(rows))('back off as upstream: %s', (_, { input, expect: expected }) => {
    let nowMs = 0;
    const clock = { now: () => nowMs };
    const backOff = new Backoff({
      clock,
      initialMs: input.initialSeconds * 1_000,
      maxMs: input.maxSeconds * 1_000,
    });
    const { delays, kept, inBackOff, delaysBeforeRestart } = expected;
    const wanted = delays ?? delaysBeforeRestart;
    if (wanted) {
      const seen: number[] = [];
      for (const _ of wanted) {
        seen.push(backOff.get('key') / 1_000);
        backOff.next('key', nowMs);
        nowMs += 1_000;
      }
      expect(seen).toEqual(wanted);
    }
    if (kept) {
      for (let i = 0; i < (input.failures ?? 0); i++) backOff.next('key', nowMs);
      const seen: boolean[] = [];
      for (const seconds of input.gcAfterSeconds ?? []) {
        nowMs = seconds * 1_000;
        backOff.gc();
        seen.push(backOff.get('key') > 0);
      }
      expect(seen).toEqual(kept);
    }
    if (inBackOff) {
      let lastMs = nowMs;
      const seen: boolean[] = [];
      for (const second of input.ticks ?? []) {
        nowMs = second * 1_000;
        const waits = backOff.isInBackOffSince('key', lastMs);
        seen.push(waits);
        if (waits) continue;
        backOff.next('key', nowMs);
        lastMs = nowMs;
      }
      expect(seen).toEqual(inBackOff);
    }
  });
});

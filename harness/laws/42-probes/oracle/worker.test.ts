import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../api/objects.ts';
import type { ProbeResult } from '../../../contracts/node/probe-manager.ts';
import type { Event, HistoryEntry, ProbeKey, ProbesHistory } from '../history.ts';
import type { ContainerPlan } from '../scenario.ts';
import { readingOf } from './reading.ts';

const POD = 'web-0';
const ID = 'containerd://web-0-app-0-1';
const key: ProbeKey = { pod: POD, container: 'app-0', type: 'readiness' };
const app: ContainerPlan = {
  isSidecar: false,
  probes: {
    readiness: {
      way: 'http',
      initialDelaySeconds: 0,
      periodSeconds: 2,
      timeoutSeconds: 1,
      successThreshold: 1,
      failureThreshold: 1,
      isFancy: false,
    },
  },
  runs: [],
};

const wire = { asked: 'GET /', owed: 'GET /', timeoutMs: 1_000, owedTimeoutMs: 1_000 };
/** A probe starts. */
const probe = (): Event => ({ kind: 'call', call: 0, key, containerID: ID, wire, isFurther: false });
/** The probe that runs gets its answer, and the manager stores the result if it has changed. */
const answer = (means: 'Success' | 'Failure'): Event => ({
  kind: 'answer',
  call: 0,
  key,
  means,
  reason: undefined,
  says: undefined,
});
const stores = (result: ProbeResult): Event => ({
  kind: 'update',
  pod: POD,
  containerID: ID,
  type: 'readiness',
  result,
});
/** The kubelet makes a status while this result is in the cache. */
function status(result: ProbeResult): Event {
  const made = {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'app-0',
        image: 'app:1',
        imageID: '',
        restartCount: 0,
        containerID: ID,
        state: { running: { startedAt: '2024-04-17T00:00:00Z' } },
        started: true,
        ready: result === 'Success',
      },
    ],
  } satisfies Pod['status'];
  const object = { metadata: { name: POD } } as Pod;
  const known = [{ containerID: ID, type: 'readiness', result }] as const;
  return { kind: 'status', pod: POD, object, given: made, answered: made, status: made, known };
}

/** Returns the laws that a history violates. */
const violated = (...story: readonly (number | Event)[]): readonly string[] => [...judged(...story).keys()];

/** Returns the violations of a history, by law. An answer belongs to the latest call. A number is the time of the entries after it, in ms. */
function judged(...story: readonly (number | Event)[]): ReturnType<typeof readingOf>['violations'] {
  const entries: HistoryEntry[] = [];
  let [atMs, calls] = [0, 0];
  for (const each of story) {
    if (typeof each === 'number') {
      atMs = each;
      continue;
    }
    if (each.kind === 'call') calls += 1;
    entries.push({ atMs, ...each, ...('call' in each && { call: calls }) } as HistoryEntry);
  }
  const pods = [{ restartPolicy: 'Always', addAfterMs: 5_000, containers: [app], syncsMs: [] }];
  const history = { entries, scenario: { pods } } as unknown as ProbesHistory;
  return readingOf(history).violations;
}

/** A container becomes ready: its probe succeeds at 5 s, and again at 7 s. */
const ready = [
  ...[0, { kind: 'boot' }, 5_000, { kind: 'add', pod: POD }, status('Failure')],
  ...[probe(), stores('Failure'), 5_010, answer('Success'), stores('Success'), 5_015, status('Success')],
] as const;
/** At 9 s a probe starts, and fails at 10 s. */
const failing = [...ready, 7_000, probe(), 7_010, answer('Success'), 9_000, probe(), 10_000] as const;

describe('The oracle of a worker', () => {
  test('accepts a probe in each period', () => {
    expect(violated(...failing, answer('Failure'), stores('Failure'), 11_000, probe())).toEqual([]);
    expect(violated(...failing, answer('Failure'), stores('Failure'), 10_500, probe())).toEqual(['punctual']);
  });

  test('reports the times of the probes around an extra one', () => {
    const often = [7_010, probe(), 7_020, answer('Success'), probe(), 9_000, probe()] as const;
    const [violation] = judged(...ready, 7_000, probe(), answer('Success'), ...often).get('punctual') ?? [];
    expect(violation?.message).toBe(
      'readiness of web-0/app-0: a probe ran at 7010 ms, outside of its ticks: its next tick is due at 9000 ms, because the last one ran at 7000 ms and periodSeconds is 2. From then on this probe ran at 7000, 7010, 7020, 9000 ms',
    );
  });

  test('accepts a probe after a status that was made right after the container became unready', () => {
    const unready = [...failing, answer('Failure'), stores('Failure'), status('Failure')] as const;
    expect(violated(...unready, probe(), 10_010, answer('Failure'), 12_000, probe())).toEqual([]);
    expect(violated(...unready, 10_500, probe())).toEqual(['punctual']);
  });

  test('rejects a probe after a status that was made right before the container became unready', () => {
    const unready = [...failing, status('Success'), answer('Failure'), stores('Failure')] as const;
    expect(violated(...unready, 11_000, probe())).toEqual([]);
    expect(violated(...unready, probe())).toEqual(['punctual']);
  });

  test('rejects a probe after a status that was made right after the container became ready', () => {
    const unready = [...failing, answer('Failure'), stores('Failure')] as const;
    const again = [...unready, 11_000, probe(), 11_010, answer('Success'), stores('Success')] as const;
    expect(violated(...again, status('Success'), 13_000, probe())).toEqual([]);
    expect(violated(...again, status('Success'), probe())).toEqual(['punctual']);
  });

  test('expects a probe after a status of an unready container', () => {
    const unready = [...failing, answer('Failure'), stores('Failure'), 10_500, status('Failure')] as const;
    expect(violated(...unready, probe(), 10_510, answer('Failure'), 12_500, probe())).toEqual([]);
    expect(violated(...unready, 11_000, probe())).toEqual(['prompt']);
  });
});

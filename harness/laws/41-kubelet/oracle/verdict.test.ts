import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../api/objects.ts';
import type { MachineEvent } from '../../../node/history.ts';
import { newPod } from '../environment/objects.ts';
import type { KubeletHistory } from '../history/index.ts';
import { MachineHistory } from '../history/machine.ts';
import { container, init, pod as planOf } from '../workloads/plans.ts';
import { statusObligations } from './status-obligations.ts';
import { type Verdict, verdictOf } from './verdict.ts';

const UID = 'pod-0-uid';
const NOW_MS = 60_000;

/** Something that happened to a container: `starts side-0 #1`, in the current sandbox. */
type Happening =
  | `${'creates' | 'starts' | 'fails' | 'succeeds' | 'removes'} ${string} #${number}`
  | 'new sandbox';

/** Plays a story on a machine, one happening a second. Each container has a number, and its name in the spec. */
function machineOf(...story: readonly Happening[]): MachineHistory {
  const events: MachineEvent[] = [];
  const attempts = new Map<string, number>();
  let sandbox = 0;
  const pod = { namespace: 'default', name: 'pod-0', uid: UID };
  const note = (atMs: number, event: MachineEvent['event'], more: Partial<MachineEvent> = {}): void => {
    events.push({ atMs, event, pod, sandboxId: `sandbox-${sandbox}`, ...more });
  };
  note(0, 'sandbox-ready');
  for (const [i, happening] of story.entries()) {
    const atMs = (i + 1) * 1_000;
    if (happening === 'new sandbox') {
      note(atMs, 'sandbox-stopped');
      sandbox += 1;
      note(atMs, 'sandbox-ready', { attempt: sandbox });
      continue;
    }
    const [verb, name = '', number] = happening.split(' ');
    const which = { container: name, containerId: `${name}${number}` };
    if (verb === 'creates' || verb === 'starts') {
      const attempt = attempts.get(`${name} ${sandbox}`) ?? 0;
      attempts.set(`${name} ${sandbox}`, attempt + 1);
      note(atMs, 'container-created', { ...which, attempt, image: 'program:1' });
    }
    if (verb === 'starts') note(atMs, 'container-started', which);
    if (verb === 'fails') note(atMs, 'container-exited', { ...which, exitCode: 1 });
    if (verb === 'succeeds') note(atMs, 'container-exited', { ...which, exitCode: 0 });
    if (verb === 'removes') note(atMs, 'container-removed', which);
  }
  return new MachineHistory(events, (image) => image);
}

const sidecar = (name: string) => container(name, { restartPolicy: 'Always' });

/** A pod with these init containers, and one container, `app`. */
function podWith(inits: readonly ReturnType<typeof container>[], status: Partial<Pod['status']> = {}): Pod {
  const pod = newPod(0, planOf({ inits: [...inits] }), (name) => name);
  return { ...pod, metadata: { ...pod.metadata, uid: UID }, status } as Pod;
}

function sayVerdict(verdict: Verdict): string {
  if (verdict.is !== 'under way') return verdict.is;
  const names = verdict.toStart.map(({ name }) => name).join(', ');
  return `${verdict.initialized ? 'initialized' : 'initializing'}, to start: ${names || 'none'}`;
}

describe('The next step of a pod with sidecars', () => {
  const both = podWith([sidecar('side-0'), sidecar('side-1')]);
  const nextAfter = (...story: readonly Happening[]): string =>
    sayVerdict(verdictOf(both, { nowMs: NOW_MS, history: { machine: machineOf(...story), epochMs: 0 } }));

  test('is the next sidecar while the one before it runs', () => {
    expect(nextAfter('starts side-0 #1')).toBe('initializing, to start: side-1');
  });

  test('is only the first sidecar if that exited before the next one was created', () => {
    expect(nextAfter('starts side-0 #1', 'fails side-0 #1')).toBe('initializing, to start: side-0');
    const twice = ['starts side-0 #1', 'fails side-0 #1', 'starts side-0 #2', 'fails side-0 #2'] as const;
    expect(nextAfter(...twice)).toBe('initializing, to start: side-0');
  });

  test('is only the first sidecar if the next one was created, removed, and not created again', () => {
    const story = ['starts side-0 #1', 'creates side-1 #2', 'removes side-1 #2', 'fails side-0 #1'] as const;
    expect(nextAfter(...story)).toBe('initializing, to start: side-0');
  });

  test('is each sidecar that exited if the last one was created before', () => {
    const story = ['starts side-0 #1', 'starts side-1 #2', 'fails side-0 #1'] as const;
    expect(nextAfter(...story)).toBe('initialized, to start: side-0');
    expect(nextAfter(...story, 'fails side-1 #2')).toBe('initializing, to start: side-0, side-1');
  });

  test('is only the last sidecar if that exited before a container was created', () => {
    expect(nextAfter('starts side-0 #1', 'starts side-1 #2', 'fails side-1 #2')).toBe(
      'initializing, to start: side-1',
    );
  });

  test('includes each sidecar that exited while a container runs', () => {
    const story = ['starts side-0 #1', 'starts side-1 #2', 'starts app #3', 'fails side-0 #1'] as const;
    expect(nextAfter(...story)).toBe('initialized, to start: side-0');
    expect(nextAfter(...story, 'fails side-1 #2')).toBe('initialized, to start: side-0, side-1');
  });

  test('forgets the containers of an earlier sandbox', () => {
    const earlier = ['starts side-0 #1', 'starts side-1 #2', 'starts app #3', 'new sandbox'] as const;
    expect(nextAfter(...earlier, 'starts side-0 #4', 'fails side-0 #4')).toBe(
      'initializing, to start: side-0',
    );
  });
});

describe('The expected status', () => {
  /** Returns the obligations about one field. */
  function lacking(pod: Pod, field: RegExp, ...story: readonly Happening[]): readonly string[] {
    const machine = machineOf(...story);
    const history = {
      machine,
      epochMs: 0,
      plans: new Map(),
      incarnations: [],
      pods: { of: () => undefined },
    } as unknown as KubeletHistory;
    const snapshot = { nowMs: NOW_MS, pods: [pod], history };
    const due = statusObligations(pod, verdictOf(pod, snapshot), snapshot);
    return due.filter((each) => field.test(each));
  }

  const PHASE = /phase/;
  const up = [
    'starts init #1',
    'succeeds init #1',
    'starts side #2',
    'starts app #3',
    'fails app #3',
  ] as const;
  const anew = [...up, 'fails side #2', 'removes init #1', 'removes side #2', 'new sandbox'] as const;
  const inits = [init('init'), sidecar('side')];
  const [running, pending] = ['Running', 'Pending'].map((phase) => podWith(inits, { phase }));

  test('has phase Pending until each container has started', () => {
    expect(lacking(pending as Pod, PHASE, ...up.slice(0, 3))).toEqual([]);
    expect(lacking(running as Pod, PHASE, ...up.slice(0, 3))).toHaveLength(1);
  });

  test('has phase Running in another sandbox, too, while a sidecar or a failed init container waits', () => {
    const sidecarWaits = ['starts init #4', 'succeeds init #4', 'starts side #5', 'fails side #5'] as const;
    for (const story of [sidecarWaits, ['starts init #4', 'fails init #4']] as const) {
      expect(lacking(running as Pod, PHASE, ...anew, ...story)).toEqual([]);
      expect(lacking(pending as Pod, PHASE, ...anew, ...story)).toHaveLength(1);
    }
  });

  test('has phase Pending in another sandbox while an init container runs', () => {
    expect(lacking(pending as Pod, PHASE, ...anew, 'starts init #4')).toEqual([]);
    expect(lacking(running as Pod, PHASE, ...anew, 'starts init #4')).toHaveLength(1);
  });

  test('counts restarts, and may count more of them after the loss of a container', () => {
    const COUNT = /restartCount/;
    const counting = (restartCount: number) =>
      podWith(inits, { initContainerStatuses: [{ name: 'init', restartCount }] } as Partial<Pod['status']>);
    const again = ['fails init #1', 'starts init #2', 'succeeds init #2'] as const;
    expect(lacking(counting(1), COUNT, 'starts init #1', ...again)).toEqual([]);
    expect(lacking(counting(2), COUNT, 'starts init #1', ...again)).toHaveLength(1);
    const lost = ['starts init #0', 'removes init #0', 'new sandbox', 'starts init #1', ...again] as const;
    expect(lacking(counting(2), COUNT, ...lost, 'removes init #1')).toEqual([]);
    expect(lacking(counting(0), COUNT, ...lost, 'removes init #1')).toHaveLength(1);
  });
});

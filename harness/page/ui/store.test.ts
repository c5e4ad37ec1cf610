import { describe, expect, test } from 'vitest';
import type { Message, Moment } from '../protocol/message.ts';
import type { Frame } from '../protocol/run-service.ts';
import type { ClusterView } from '../protocol/view.ts';
import { advance, emptyRun, RunStore } from './store.ts';

const frame = (more: Partial<Frame> = {}): Frame => ({
  nowMs: 0,
  endMs: 0,
  state: 'playing',
  speed: 1,
  messages: [],
  moments: [],
  output: [],
  ...more,
});

const moment = (atMs: number): Moment => ({ atMs, kind: 'pod-ready', text: `at ${atMs}` });

const write = (revision: number, more: Partial<Message> = {}): Message => ({
  id: revision,
  atMs: revision,
  kind: 'request',
  way: ['process:replicaset-controller', 'apiserver:0'],
  verb: 'create',
  revision,
  isFailure: false,
  isBackground: false,
  ...more,
});

const view = (atMs: number): ClusterView => ({
  atMs,
  revision: 7,
  apiservers: [],
  components: [],
  nodes: [],
  pending: [],
  deployments: [],
  workloads: [],
  services: [],
  faults: [],
});

describe('The state of a run', () => {
  test('keeps its view until a frame brings another', () => {
    const first = advance(emptyRun, frame({ view: view(1) }));
    expect(advance(first, frame()).view).toBe(first.view);
    expect(advance(first, frame({ view: view(1) })).view).toBe(first.view);
    expect(advance(first, frame({ view: view(2) })).view?.nodes).toBe(first.view?.nodes);
  });

  test('collects moments, and keeps their list while none arrives', () => {
    const one = advance(emptyRun, frame({ nowMs: 1, moments: [moment(1)] }));
    const two = advance(one, frame({ nowMs: 2, moments: [moment(2)] }));
    expect(two.moments.map(({ atMs }) => atMs)).toEqual([1, 2]);
    expect(advance(two, frame({ nowMs: 3 })).moments).toBe(two.moments);
  });

  test('lists the latest writes, newest first', () => {
    const messages = [
      write(1),
      write(2),
      write(3, { isFailure: true }),
      write(4, { verb: 'list' }),
      write(5, { isBackground: true }),
      write(6, { kind: 'event' }),
      write(7, { object: 'events/default/web-1.17f' }),
    ];
    expect(advance(emptyRun, frame({ messages })).writes.map(({ revision }) => revision)).toEqual([2, 1]);
  });

  test('keeps the number of dropped moments until a frame brings another', () => {
    const acted = advance(emptyRun, frame({ dropped: 12 }));
    expect(advance(acted, frame()).dropped).toBe(12);
    expect(advance(acted, frame({ dropped: 0 })).dropped).toBe(0);
  });

  test('forgets moments, writes and output when the run begins again', () => {
    const output = [{ action: 0, text: 'scaled', isError: false }];
    const before = advance(emptyRun, frame({ moments: [moment(1)], messages: [write(1)], output }));
    expect(advance(before, frame({ reset: true }))).toMatchObject({ moments: [], writes: [], outputs: [] });
  });
});

describe('The moments', () => {
  test('have the actions among them', () => {
    const action = { do: 'kubectl', line: 'scale deployment web --replicas=5', atMs: 15 } as const;
    const state = advance(emptyRun, frame({ nowMs: 20, moments: [10, 20].map(moment), actions: [action] }));
    expect(state.moments.map(({ text }) => text)).toEqual([
      'at 10',
      'kubectl scale deployment web --replicas=5',
      'at 20',
    ]);
  });

  test('end with a new action, because the time line ends at the present', () => {
    const before = advance(emptyRun, frame({ nowMs: 20, endMs: 90, moments: [10, 50].map(moment) }));
    const acted = advance(before, frame({ nowMs: 20, endMs: 20, droppedFromMs: 20, actions: [] }));
    expect([acted.moments.length, acted.future.length]).toEqual([1, 0]);
  });

  test('are those of the new future if the run has advanced for the action', () => {
    const before = advance(emptyRun, frame({ nowMs: 20, endMs: 90, moments: [10, 25, 50].map(moment) }));
    const moments = [moment(25)];
    const acted = advance(before, frame({ nowMs: 30, endMs: 30, droppedFromMs: 20, actions: [], moments }));
    expect(acted.moments.map(({ atMs }) => atMs)).toEqual([10, 25]);
  });
});

describe('After a seek back', () => {
  const moments = [10, 50, 80].map(moment);
  const back = advance(emptyRun, frame({ reset: true, nowMs: 20, endMs: 90, moments }));
  const times = (list: readonly Moment[]) => list.map(({ atMs }) => atMs);

  test('the later moments are the future', () => {
    expect([times(back.moments), times(back.future)]).toEqual([[10], [50, 80]]);
  });

  test('the future becomes the past as time passes', () => {
    const later = advance(back, frame({ nowMs: 60, endMs: 90 }));
    expect([times(later.moments), times(later.future)]).toEqual([[10, 50], [80]]);
  });

  test('both lists stay the same while no moment passes', () => {
    const later = advance(back, frame({ nowMs: 40, endMs: 90 }));
    expect([later.moments === back.moments, later.future === back.future]).toEqual([true, true]);
  });
});

describe('The store', () => {
  test('notifies its listeners until they leave', () => {
    const store = new RunStore();
    const seen: number[] = [];
    const leave = store.subscribe(() => seen.push(store.state.nowMs));
    store.take(frame({ nowMs: 1 }));
    leave();
    store.take(frame({ nowMs: 2 }));
    expect(seen).toEqual([1]);
  });

  test('passes frames on that bring messages or begin again', () => {
    const store = new RunStore();
    const seen: number[] = [];
    store.onMessages(({ nowMs }) => seen.push(nowMs));
    store.take(frame({ nowMs: 1 }));
    store.take(frame({ nowMs: 2, messages: [write(1)] }));
    store.take(frame({ nowMs: 3, reset: true }));
    expect(seen).toEqual([2, 3]);
  });
});

import type { Replay, ReplayEntry } from '../../../workbook/replay.ts';

const entry = (atMs: number, actor: string, text: string, more: Partial<ReplayEntry> = {}): ReplayEntry => ({
  atMs,
  actor,
  kind: 'request',
  text,
  ...more,
});

const start = [
  entry(0, 'user', 'scale web to 1', { kind: 'call' }),
  entry(1, 'nemesis', 'hold back the events', { kind: 'fault', untilMs: 400_000 }),
  entry(3, 'controller', 'create pods/web-…', { answer: 'ok' }),
];

/** The controller creates a second pod after five minutes; the reference reads the pods first. */
export const runs: Replay = {
  kata: '23-replicaset',
  law: {
    test: 'Laws > Never too many: at most replicas',
    name: 'Never too many',
    statement: 'at most replicas',
  },
  violation: 'it created web-2',
  axis: 'time',
  lanes: [
    { actor: 'nemesis', role: 'faults' },
    { actor: 'controller', role: 'learner' },
    { actor: 'user', role: 'environment' },
  ],
  mine: [
    ...start,
    entry(300_000, 'controller', 'get replicasets/web', { answer: 'ok' }),
    entry(300_000, 'controller', 'create pods/web-…', { answer: 'ok' }),
    { atMs: 300_000, actor: '', kind: 'violation', text: 'it created web-2' },
    entry(300_009, 'user', 'scale web to 2', { kind: 'call' }),
  ],
  reference: [
    ...start,
    entry(300_000, 'controller', 'get replicasets/web', { answer: 'ok' }),
    entry(300_000, 'controller', 'list pods', { answer: 'ok' }),
    entry(300_009, 'user', 'scale web to 2', { kind: 'call' }),
  ],
  parting: { by: 'act', actor: 'controller', mine: 4, reference: 4 },
};

const call = (text: string, answer: string): ReplayEntry => ({
  actor: 'NodeName',
  kind: 'call',
  text,
  answer,
});

/** A plugin accepts a node that it must reject. */
export const calls: Replay = {
  ...runs,
  kata: '31-filter',
  axis: 'order',
  lanes: [{ actor: 'NodeName', role: 'learner' }],
  mine: [
    call('filter node-0', 'Success'),
    call('filter node-1', 'Success'),
    { actor: '', kind: 'violation', text: 'it accepted node-1' },
  ],
  reference: [
    call('filter node-0', 'Success'),
    call('filter node-1', 'Unschedulable'),
    call('filter node-2', 'Success'),
  ],
  parting: { by: 'outcome', actor: 'NodeName', mine: 1, reference: 1 },
};

import { describe, expect, test } from 'vitest';
import type { TraceEntry } from '../sim/index.ts';
import { entriesOfCalls, entriesOfHistory, lanesOf } from './replay-entries.ts';

const entry = (atMs: number, actor: string, verb: string, rest: Partial<TraceEntry> = {}): TraceEntry => ({
  atMs,
  actor,
  verb,
  ...rest,
});

const nemesis = (atMs: number, verb: string, note: object = {}): TraceEntry =>
  entry(atMs, 'nemesis', verb, { note: JSON.stringify(note) });

describe('The entries of a history', () => {
  test.each([
    [
      'request',
      entry(1, 'controller', 'create', { object: 'pods/default/web-1', outcome: 'ok', revision: 9 }),
    ],
    ['error', entry(1, 'controller', 'create', { object: 'pods/default/web-1', outcome: 'Forbidden' })],
    ['event', entry(1, 'controller', 'ADDED', { object: 'pods/default/web-1', revision: 9 })],
    ['error', entry(1, 'informer', 'ERROR', { object: 'configmaps', outcome: 'Expired' })],
    ['call', entry(1, 'worker 1', 'get', { object: 'returns d' })],
    ['call', entry(1, 'ADD pod-1', 'open', { object: 'draft' })],
    ['error', entry(1, 'node-1 bridge ADD web-0', 'ends', { outcome: 'exit code 1' })],
    ['log', entry(1, 'scheduler', 'explain', { object: 'pods/default/web-1', note: 'node-1 ✗' })],
    ['fault', entry(1, 'controller', 'crash')],
    ['event', entry(1, 'nemesis', 'heal')],
  ] as const)('have the kind %s', (kind, one) => {
    expect(entriesOfHistory([one])[0]?.kind).toBe(kind);
  });

  test('have the outcome, the revision and the note as the answer', () => {
    const one = entry(3, 'kubectl', 'create', {
      object: 'pods/a',
      outcome: 'ok',
      revision: 5,
      note: 'dry run',
    });
    expect(entriesOfHistory([one])).toEqual([
      {
        atMs: 3,
        actor: 'kubectl',
        kind: 'request',
        text: 'create pods/a',
        answer: 'ok · revision 5 · dry run',
      },
    ]);
  });

  test('say a fault in words', () => {
    expect(entriesOfHistory([nemesis(3, 'cut-watches', { process: 'informer' })])).toEqual([
      { atMs: 3, actor: 'nemesis', kind: 'fault', text: 'cut the watches of informer' },
    ]);
  });

  test('say in words that all faults end', () => {
    expect(entriesOfHistory([nemesis(3, 'heal')])[0]?.text).toBe('all faults end');
  });

  test('end a fault that lasts with its time, or when all faults end', () => {
    const [long, short] = entriesOfHistory([
      nemesis(10, 'lag', { replica: 0, forMs: 500 }),
      nemesis(20, 'lag', { replica: 1, forMs: 30 }),
      nemesis(100, 'heal'),
    ]);
    expect([long?.untilMs, short?.untilMs]).toEqual([100, 50]);
  });
});

describe('The lanes of two runs', () => {
  const of = (kata: string, processes: readonly string[], ...actors: readonly string[]) =>
    lanesOf(
      entriesOfHistory(
        actors.map((actor, at) => (actor === 'nemesis' ? nemesis(at, 'compact') : entry(at, actor, 'does'))),
      ),
      { kata, processes, isAll: false },
    ).map(({ actor, role }) => `${role} ${actor}`);

  test('begin with the faults, then the learner’s processes, then the others in order of appearance', () => {
    expect(
      of('41-kubelet', ['kubelet'], 'kubectl', 'kubelet-node-1', 'nemesis', 'containerd-node-1'),
    ).toEqual([
      'faults nemesis',
      'learner kubelet-node-1',
      'environment kubectl',
      'environment containerd-node-1',
    ]);
  });

  test('know the lanes of katas that are no process', () => {
    expect(of('51-ipam', [], 'ADD pod-1', 'the disk')).toEqual(['learner ADD pod-1', 'environment the disk']);
    expect(of('22-workqueue', [], 'producer 1', 'worker 1')).toEqual([
      'learner worker 1',
      'environment producer 1',
    ]);
  });

  test('are the learner’s where the code is called', () => {
    const calls = entriesOfCalls([{ actor: 'NodeName', what: 'filter node-0', answer: 'Success' }]);
    expect(calls).toEqual([{ actor: 'NodeName', kind: 'call', text: 'filter node-0', answer: 'Success' }]);
    expect(lanesOf(calls, { kata: '31-filter', processes: [], isAll: true })).toEqual([
      { actor: 'NodeName', role: 'learner' },
    ]);
  });
});

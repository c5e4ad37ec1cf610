import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TraceEntry } from '../sim/index.ts';
import { drawSequence } from './sequence-diagram.ts';

const drawn = (...entries: readonly Omit<TraceEntry, 'atMs'>[]): readonly string[] =>
  drawSequence(entries.map((entry, atMs) => ({ atMs, ...entry })))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'sequenceDiagram' && !line.startsWith('participant'));

describe('A sequence diagram', () => {
  test("draws an apply and the informer's event", () => {
    const object = 'deployments/default/web';
    const entries: readonly TraceEntry[] = [
      { atMs: 1, actor: 'kubectl', verb: 'get', object, outcome: 'NotFound' },
      { atMs: 3, actor: 'kubectl', verb: 'create', object, outcome: 'ok', revision: 5 },
      { atMs: 4, actor: 'informer', verb: 'ADDED', object, revision: 5 },
      { atMs: 4, actor: 'informer', verb: 'log', note: 'onAdd' },
    ];
    expect(drawSequence(entries)).toBe(`sequenceDiagram
  participant p0 as kubectl
  participant p1 as apiserver
  participant p2 as informer
  p0->>p1: get deployments/default/web
  p1-->>p0: NotFound
  p0->>p1: create deployments/default/web
  p1-->>p0: ok, revision 5
  p1-)p2: ADDED deployments/default/web, revision 5
  Note over p2: onAdd
`);
  });

  test('without entries is empty', () => {
    expect(drawSequence([])).toBe('sequenceDiagram\n');
  });

  test('draws no answer if none arrived', () => {
    const call = { actor: 'a', verb: 'create', object: 'pods/default/x' };
    expect(drawn({ ...call, outcome: 'lost' })).toEqual(['p0-xp1: create pods/default/x (lost)']);
    expect(drawn({ ...call, outcome: 'ECONNREFUSED' })).toEqual([
      'p0-xp1: create pods/default/x (ECONNREFUSED)',
    ]);
    expect(drawn({ ...call, outcome: 'ok, unheard' })).toEqual([
      'p0->>p1: create pods/default/x',
      'p1--xp0: ok, unheard',
    ]);
  });

  test('draws the end of a watch', () => {
    expect(
      drawn(
        { actor: 'a', verb: 'watch', object: 'pods', outcome: 'ok' },
        { actor: 'a', verb: 'cut', object: 'pods' },
        { actor: 'a', verb: 'end', object: 'pods' },
        { actor: 'a', verb: 'ERROR', object: 'pods', outcome: 'Expired' },
      ),
    ).toEqual([
      'p0->>p1: watch pods',
      'p1-->>p0: ok',
      'p1--xp0: watch cut: pods',
      'p1--)p0: watch ended: pods',
      'p1-)p0: ERROR pods, Expired',
    ]);
  });

  test('notes events of a single actor', () => {
    expect(drawn({ actor: 'nemesis', verb: 'compact', revision: 7 }, { actor: 'a', verb: 'crash' })).toEqual([
      'Note over p0: compact, revision 7',
      'Note over p1: crash',
    ]);
  });

  test('Plain: each line is one statement, without Mermaid syntax in texts', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '#', ';', '<', '>', ':', '\n', '\r') });
    const verb = fc.constantFrom('get', 'ADDED', 'cut', 'log', 'crash');
    const entry = fc.record({ actor: text, verb, object: text, outcome: text, note: text });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1 }), (entries) => {
        const lines = drawSequence(entries.map((each) => ({ atMs: 0, ...each })))
          .trimEnd()
          .split('\n');
        for (const line of lines.slice(1)) {
          const [, said] =
            /^ {2}(?:participant p\d+ as |Note over p\d+: |p\d+[-.>x)]+p\d+: )(\S.*)$/.exec(line) ?? [];
          expect(said, line).toBeDefined();
          expect(said?.replace(/#(35|59|lt|gt);/g, '')).not.toMatch(/[#;<>]/);
        }
      }),
    );
  });
});

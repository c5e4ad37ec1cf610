import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SequenceDiagram, Step } from './diagram.ts';
import { toMermaid } from './mermaid.ts';
import { toSvg } from './svg.ts';
import { textBoxes, wellFormed } from './svg-boxes.fixture.ts';

const step = (more: Partial<Step>): Step => ({
  ...{ kind: 'request', from: 'a', to: 'b', atMs: 0, untilMs: 0, verb: 'get', label: '', count: 1 },
  ...{ objects: [], revisions: [], lines: [] },
  ...more,
});

const ab = [
  { id: 'a', nodes: [] },
  { id: 'b', nodes: ['node-1', 'node-2'] },
];

const messages = (...steps: readonly Step[]): readonly string[] =>
  toMermaid({ participants: ab, steps })
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'sequenceDiagram' && !line.startsWith('participant'));

/** Diagrams whose texts contain the syntax of the formats. */
const diagrams: fc.Arbitrary<SequenceDiagram> = (() => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', '#', ';', '<', '>', '&', '"', ':', '\n', '\u0000'),
  });
  const names = fc.uniqueArray(text, { minLength: 1, maxLength: 12 });
  return names.chain((ids) =>
    fc.record({
      participants: fc.constant(ids.map((id) => ({ id, nodes: [id] }))),
      steps: fc.array(
        fc.record({
          kind: fc.constantFrom('request', 'event', 'call', 'note'),
          from: fc.constantFrom(...ids),
          to: fc.constantFrom(...ids),
          atMs: fc.nat(100_000),
          untilMs: fc.constant(100_000),
          verb: text,
          label: fc.oneof(
            text,
            fc.string({ minLength: 100, maxLength: 300, unit: fc.constantFrom('w', '&') }),
          ),
          objects: fc.constant([]),
          count: fc.integer({ min: 1, max: 30 }),
          revisions: fc.array(fc.nat()),
          failure: text,
          lines: fc.array(text, { maxLength: 3 }),
        }),
      ),
    }),
  );
})();

describe('Mermaid', () => {
  test('distinguishes requests, events, calls and failures by their arrows', () => {
    expect(
      messages(
        step({ label: 'pods/web', revisions: [7, 5], count: 2, untilMs: 3 }),
        step({ failure: 'Conflict' }),
        step({ kind: 'event', from: 'b', to: 'a', verb: 'ADDED' }),
        step({ kind: 'event', from: 'b', to: 'a', verb: 'cut', failure: 'the watch ended' }),
        step({ kind: 'note', to: 'a', lines: ['one', 'two'] }),
      ),
    ).toEqual([
      'p0->>p1: get pods/web ×2 · revisions 7–5 · 0–3 ms',
      'p0-xp1: get · ✗ Conflict · 0 ms',
      'p1--)p0: ADDED · 0 ms',
      'p1--xp0: cut · ✗ the watch ended · 0 ms',
      'Note over p0: one<br/>two',
    ]);
  });

  test('names the nodes of a participant', () => {
    expect(toMermaid({ participants: ab, steps: [] })).toBe(
      'sequenceDiagram\n  participant p0 as a\n  participant p1 as b<br/>2 nodes\n',
    );
  });

  test('Plain: each line is one statement, without Mermaid syntax in its texts', () => {
    fc.assert(
      fc.property(diagrams, (diagram) => {
        for (const line of toMermaid(diagram).trimEnd().split('\n').slice(1)) {
          const [, words] =
            /^ {2}(?:participant p\d+ as |Note over p\d+: |p\d+[-.>x)]+p\d+: )(\S.*)$/.exec(line) ?? [];
          expect(words, line).toBeDefined();
          expect(words?.replace(/<br\/>|#(35|59|lt|gt);/g, '')).not.toMatch(/[#;<>]/);
        }
      }),
    );
  });
});

describe('SVG', () => {
  test('has a sentence for each step, for screen readers', () => {
    const svg = toSvg(
      { participants: ab, steps: [step({ atMs: 12, untilMs: 12, label: 'pods/web' })] },
      { sinceMs: 10 },
    );
    expect(svg).toContain('data-step="0"><title>At 2 ms, a to b: get pods/web</title>');
  });

  test('Well-formed: whatever the texts contain, it is XML, and each text is inside the picture', () => {
    fc.assert(
      fc.property(diagrams, (diagram) => {
        const svg = toSvg(diagram);
        expect(wellFormed(svg)).toEqual([]);
        const { width, boxes } = textBoxes(svg);
        for (const { left, right } of boxes) expect(left >= 0 && right <= width).toBe(true);
      }),
    );
  });
});

import type { SequenceDiagram, Step } from './diagram.ts';
import type { RenderOptions } from './mermaid.ts';
import { APISERVER } from './participants.ts';
import { actionOf, outcomeOf, timeOf } from './step-label.ts';
import { english, type SequenceWords } from './words.ts';

/**
 * Renders a diagram as lines of text, one for each step. `→` is a request or a call of the named component, `←` an event
 * that it received.
 *
 *     5  deployment-controller  → create replicasets/web-5d7 · revision 99
 *     6  replicaset-controller  ← ADDED replicasets/web-5d7
 */
export function toText(
  { steps }: SequenceDiagram,
  { sinceMs = 0, words = english }: RenderOptions = {},
): string[] {
  const rows = steps.map((step) => ({
    when: timeOf(step, sinceMs),
    who: step.kind === 'event' ? step.to : step.from,
    lines: linesOf(step, words),
  }));
  const [whenWidth, whoWidth] = [widest(rows.map(({ when }) => when)), widest(rows.map(({ who }) => who))];
  return rows.flatMap(({ when, who, lines }) =>
    lines.map((line, index) => {
      const [time, name] = index === 0 ? [when, who] : ['', ''];
      return `${time.padStart(whenWidth)}  ${name.padEnd(whoWidth)}  ${line}`.trimEnd();
    }),
  );
}

function linesOf(step: Step, words: SequenceWords): readonly string[] {
  const { kind, from, to, lines } = step;
  if (kind === 'note') return lines.map((line) => `  ${line}`);
  const called = kind === 'call' && to !== from && to !== APISERVER ? `${to}: ` : '';
  const did = [actionOf(step), outcomeOf(step, words)].filter(Boolean).join(' · ');
  return [`${kind === 'event' ? '←' : '→'} ${called}${did}`];
}

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));

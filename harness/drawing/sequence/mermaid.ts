import type { SequenceDiagram, Step } from './diagram.ts';
import { actionOf, momentOf, outcomeOf, placeOf } from './step-label.ts';
import { english, type SequenceWords } from './words.ts';

/** Options of the renderers. */
export interface RenderOptions {
  /** The virtual time that is drawn as 0, in ms. @defaultValue 0 */
  readonly sinceMs?: number;
  /** @defaultValue English */
  readonly words?: SequenceWords;
}

/**
 * Renders a diagram as a Mermaid sequence diagram.
 *
 * Grammar: https://mermaid.js.org/syntax/sequenceDiagram.html
 */
export function toMermaid(
  { participants, steps }: SequenceDiagram,
  { sinceMs = 0, words = english }: RenderOptions = {},
): string {
  // Mermaid ids have only letters and digits.
  const ids = new Map(participants.map(({ id }, index) => [id, `p${index}`]));
  const declarations = participants.map((participant) => {
    const place = placeOf(participant, words);
    return `participant ${ids.get(participant.id)} as ${plain(participant.id)}${place && `<br/>${plain(place)}`}`;
  });
  const messages = steps.map((step) => {
    const [from, to] = [ids.get(step.from), ids.get(step.to)];
    if (step.kind === 'note') return `Note over ${from}: ${step.lines.map(plain).join('<br/>') || EMPTY}`;
    const text = [actionOf(step), outcomeOf(step, words), momentOf(step, sinceMs)]
      .filter(Boolean)
      .join(' · ');
    return `${from}${arrowOf(step)}${to}: ${plain(text)}`;
  });
  return ['sequenceDiagram', ...[...declarations, ...messages].map((line) => `  ${line}`), ''].join('\n');
}

function arrowOf({ kind, failure }: Step): string {
  if (kind === 'event') return failure === undefined ? '--)' : '--x';
  return failure === undefined ? '->>' : '-x';
}

/** Mermaid rejects an empty text. */
const EMPTY = '–';

/** Escapes Mermaid syntax: the end of a statement, an entity, markup. */
function plain(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim() || EMPTY;
  return line.replace(/[#;<>]/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = { '#': '#35;', ';': '#59;', '<': '#lt;', '>': '#gt;' };

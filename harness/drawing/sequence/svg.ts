import type { Participant, SequenceDiagram, Step } from './diagram.ts';
import type { RenderOptions } from './mermaid.ts';
import { actionOf, outcomeOf, placeOf, sentenceOf, timeOf } from './step-label.ts';
import { STYLE } from './svg-style.ts';
import { english, type SequenceWords } from './words.ts';

/** Options of {@link toSvg}. */
interface SvgOptions extends RenderOptions {
  /** @defaultValue the title among the words */
  readonly title?: string;
}

/** Sizes in px. The font is monospaced, so the width of a text is its number of characters times `em`. */
const TEXT = { em: 7.2, height: 15 };
const SMALL = { em: 6.6, height: 14 };
const TIMES = 72;
const EDGE = 12;
const GAP = 10;
const ROW = 32;
const WIDTH_MIN = 900;

/** The place of each lifeline. */
interface Layout {
  readonly width: number;
  readonly top: number;
  /** The centre of each lifeline, by participant. */
  readonly xs: ReadonlyMap<string, number>;
  readonly words: SequenceWords;
}

/**
 * Renders a diagram as a standalone SVG file, which a page can also contain. Each step is a `<g data-step="0">` with its
 * index in the diagram.
 *
 * A page can set the colours: the custom properties in `svg-style.ts`.
 */
export function toSvg(diagram: SequenceDiagram, options: SvgOptions = {}): string {
  const { participants, steps } = diagram;
  const { sinceMs = 0, words = english, title = words.title } = options;
  const layout = layoutOf(participants, words);
  const { width, top, xs } = layout;
  const rows: string[] = [];
  let y = top + 10;
  for (const [index, step] of steps.entries()) {
    const { body, height } = step.kind === 'note' ? note(step, layout, y) : arrow(step, layout, y);
    const time = text(TIMES - 10, y + TEXT.height, timeOf(step, sinceMs), 'time', 'end');
    rows.push(
      `<g class="${classOf(step)}" data-step="${index}">` +
        `<title>${escaped(sentenceOf(step, sinceMs, words))}</title>` +
        `<rect class="s-row" x="0" y="${y}" width="${width}" height="${height}"/>${time}${body}</g>`,
    );
    y += height;
  }
  const bottom = y + 8;
  const height = bottom + top + SMALL.height + EDGE;
  const lifelines = [...xs.values()].map(
    (x) => `<line class="s-lifeline" x1="${x}" y1="${top}" x2="${x}" y2="${bottom}"/>`,
  );
  const description = words.description(
    steps.length,
    participants.map(({ id }) => id),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="sequence-diagram" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" style="max-width:100%;height:auto" role="group" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<defs>${MARKERS}</defs>`,
    `<rect class="s-paper" width="${width}" height="${height}"/>`,
    ...lifelines,
    ...rows,
    ...participants.map((one) => heading(one, layout, bottom)),
    legend(height - EDGE, words),
    // Last, so that a page can keep them in sight above the steps.
    `<g class="s-headings"><rect class="s-paper" width="${width}" height="${top}"/>`,
    text(TIMES - 10, top - 12, 'ms', 'time', 'end'),
    ...participants.map((one) => heading(one, layout, 0)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** The heads of arrows: each has the colour of its line. */
const MARKERS = [
  { id: 'request', shape: 'M0 1 L10 5 L0 9 z', refX: 9 },
  { id: 'call', shape: 'M0 1 L10 5 L0 9 z', refX: 9 },
  { id: 'event', shape: 'M1 1 L9 5 L1 9', refX: 9 },
  { id: 'failure', shape: 'M1 1 L9 9 M9 1 L1 9', refX: 5 },
]
  .map(
    ({ id, shape, refX }) =>
      `<marker id="sequence-${id}" viewBox="0 0 10 10" refX="${refX}" refY="5" markerWidth="9" markerHeight="9" ` +
      `markerUnits="userSpaceOnUse" orient="auto"><path class="s-head s-head-${id}" d="${shape}"/></marker>`,
  )
  .join('');

function layoutOf(participants: readonly Participant[], words: SequenceWords): Layout {
  const widths = participants.map((one) => widthOf(one, words));
  const least = TIMES + widths.reduce((sum, one) => sum + one + GAP, 0) + EDGE;
  const width = Math.ceil(Math.max(WIDTH_MIN, least));
  const spare = participants.length === 0 ? 0 : (width - least) / participants.length;
  const xs = new Map<string, number>();
  let left = TIMES;
  for (const [index, { id }] of participants.entries()) {
    const own = (widths[index] ?? 0) + GAP + spare;
    xs.set(id, round(left + own / 2));
    left += own;
  }
  const lines = Math.max(1, ...participants.map((one) => linesOf(one, words).length));
  return { width, top: lines * SMALL.height + 24, xs, words };
}

/** Splits a name at its hyphens, and adds the nodes. */
function linesOf(participant: Participant, names: SequenceWords): readonly string[] {
  const place = placeOf(participant, names);
  const words = participant.id.split(/(?<=-)|(?<= )/).map((word) => word.trim());
  const isOneLine = participant.id.length <= 10;
  return [...(isOneLine ? [participant.id] : words), ...(place ? [place] : [])];
}

function widthOf(participant: Participant, words: SequenceWords): number {
  return Math.max(...linesOf(participant, words).map((line) => line.length)) * SMALL.em + 12;
}

function heading(participant: Participant, { xs, top, words }: Layout, y: number): string {
  const x = xs.get(participant.id) ?? 0;
  const lines = linesOf(participant, words);
  const width = widthOf(participant, words);
  const height = top - 12;
  const box = `<rect class="s-box" x="${round(x - width / 2)}" y="${y + 6}" width="${round(width)}" height="${height}" rx="4"/>`;
  const first = y + 6 + (height - lines.length * SMALL.height) / 2 + 11;
  const place = placeOf(participant, words);
  const texts = lines.map((line, index) =>
    text(x, round(first + index * SMALL.height), line, line === place ? 'place' : 'name', 'middle'),
  );
  return `<g class="s-participant">${box}${texts.join('')}</g>`;
}

/** A drawn step, and its height. */
interface Drawn {
  readonly body: string;
  readonly height: number;
}

function arrow(step: Step, { xs, width, words }: Layout, y: number): Drawn {
  const [from, to] = [xs.get(step.from) ?? 0, xs.get(step.to) ?? 0];
  const [action, outcome] = [actionOf(step), outcomeOf(step, words)];
  const room = Math.floor((width - TIMES - EDGE) / TEXT.em);
  const label = shorten([action, outcome].filter(Boolean).join('  '), room);
  const length = label.length * TEXT.em;
  const left = Math.min(from, to);
  // A label may be longer than its arrow: it ends within the picture.
  const start = round(Math.max(TIMES, Math.min(left + 6, width - EDGE - length)));
  const [head, tail] = [label.slice(0, action.length), label.slice(action.length)];
  const caption = `<text class="s-label" x="${start}" y="${y + TEXT.height}">${escaped(head)}${tail && `<tspan class="s-outcome">${escaped(tail)}</tspan>`}</text>`;
  const at = y + TEXT.height + 7;
  const path =
    from === to ? `M${from} ${at - 3} h16 v8 h-15` : `M${from} ${at} H${round(to + (from < to ? -1 : 1))}`;
  return { body: `<path class="s-arrow" d="${path}"/>${caption}`, height: ROW };
}

function note(step: Step, { xs, width }: Layout, y: number): Drawn {
  const room = Math.floor((width - TIMES - EDGE - 16) / SMALL.em);
  const lines = step.lines.map((line) => shorten(line, room));
  const own = Math.max(...lines.map((line) => line.length)) * SMALL.em + 16;
  const x = xs.get(step.from) ?? 0;
  const left = round(Math.max(TIMES, Math.min(x - own / 2, width - EDGE - own)));
  const height = lines.length * SMALL.height + 8;
  const box = `<rect class="s-box" x="${left}" y="${y + 2}" width="${round(own)}" height="${height}" rx="2"/>`;
  const texts = lines.map((line, index) =>
    text(left + 8, y + 15 + index * SMALL.height, line, 'line', 'start'),
  );
  return { body: box + texts.join(''), height: height + 8 };
}

/** The prefix keeps the classes apart from those of a page. */
function classOf({ kind, failure }: Pick<Step, 'kind' | 'failure'>): string {
  return `s-step s-${kind}${failure === undefined ? '' : ' s-failure'}`;
}

function legend(y: number, names: SequenceWords): string {
  const entries: readonly (Pick<Step, 'kind' | 'failure'> & { readonly words: string })[] = [
    { kind: 'request', words: names.request },
    { kind: 'event', words: names.event },
    { kind: 'call', words: names.call },
    { kind: 'request', failure: '', words: names.failed },
  ];
  let x = TIMES;
  const drawn = entries.map(({ words, ...entry }) => {
    const one = `<g class="${classOf(entry)}"><path class="s-arrow" d="M${x} ${y - 4} h30"/>${text(x + 38, y, words, 'line', 'start')}</g>`;
    x += round(60 + words.length * SMALL.em);
    return one;
  });
  return `<g class="s-legend">${drawn.join('')}</g>`;
}

function text(x: number, y: number, words: string, kind: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text class="s-${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${escaped(words)}</text>`;
}

function shorten(words: string, length: number): string {
  return words.length > length ? `${words.slice(0, length - 1)}…` : words;
}

const round = (px: number): number => Math.round(px * 10) / 10;

/** Escapes markup, and replaces the characters that XML forbids. */
function escaped(words: string): string {
  return words
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

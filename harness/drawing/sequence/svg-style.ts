/**
 * The style of a sequence diagram. A page sets its colours by the properties `--sequence-…`; a standalone file follows
 * the reader's preference for light or dark. Lines differ in shape, too, so that no colour is needed to read them.
 */
const COLOURS: readonly (readonly [name: string, light: string, dark: string])[] = [
  ['paper', '#ffffff', '#14181f'],
  ['ink', '#1c2330', '#e8ecf2'],
  ['faint', '#5b6573', '#9aa5b4'],
  ['line', '#c9d0d9', '#3a4452'],
  ['box', '#f1f4f8', '#202733'],
  ['request', '#1f5fbf', '#7fb2ff'],
  ['event', '#7a4bb5', '#c3a1f5'],
  ['call', '#0b7a75', '#5fd0c5'],
  ['failure', '#b3261e', '#ff9d8f'],
  ['note', '#fff6d6', '#3b341b'],
  ['mark', '#e3ecfb', '#243550'],
];

const set = (theme: 1 | 2): string =>
  COLOURS.map((colour) => `--s-${colour[0]}:var(--sequence-${colour[0]},${colour[theme]})`).join(';');

const rules: Readonly<Record<string, string>> = {
  text: 'font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:11px;fill:var(--s-ink)',
  '.s-label':
    'font-size:12px;paint-order:stroke;stroke:var(--s-paper);stroke-width:3px;stroke-linejoin:round',
  '.s-outcome,.s-time,.s-place': 'fill:var(--s-faint)',
  '.s-name': 'font-weight:600',
  '.s-paper': 'fill:var(--s-paper)',
  '.s-lifeline': 'stroke:var(--s-line);stroke-width:1',
  '.s-box': 'fill:var(--s-box);stroke:var(--s-line)',
  '.s-note .s-box': 'fill:var(--s-note)',
  '.s-row': 'fill:transparent',
  '.s-step.s-at .s-row': 'fill:var(--s-mark)',
  '.s-step.s-now .s-time': 'fill:var(--s-ink);font-weight:700;text-decoration:underline',
  '.s-step.s-at .s-label': 'stroke:var(--s-mark)',
  '.s-arrow': 'fill:none;stroke-width:1.5',
  '.s-request .s-arrow': 'stroke:var(--s-request);marker-end:url(#sequence-request)',
  '.s-event .s-arrow': 'stroke:var(--s-event);stroke-dasharray:5 4;marker-end:url(#sequence-event)',
  '.s-call .s-arrow': 'stroke:var(--s-call);stroke-width:2.5;marker-end:url(#sequence-call)',
  '.s-failure .s-arrow': 'stroke:var(--s-failure);marker-end:url(#sequence-failure)',
  '.s-failure .s-outcome': 'fill:var(--s-failure)',
  '.s-head': 'fill:none;stroke-width:1.6',
  '.s-head-request': 'fill:var(--s-request)',
  '.s-head-call': 'fill:var(--s-call)',
  '.s-head-event': 'stroke:var(--s-event)',
  '.s-head-failure': 'stroke:var(--s-failure)',
};

/** Each rule applies within the diagram only: a page can contain the file. */
const scoped = Object.entries(rules).map(([selectors, body]) => {
  const within = selectors.split(',').map((selector) => `.sequence-diagram ${selector}`);
  return `${within.join(',')}{${body}}`;
});

export const STYLE = [
  `.sequence-diagram{${set(1)}}`,
  `@media (prefers-color-scheme:dark){.sequence-diagram{${set(2)}}}`,
  ...scoped,
].join('\n');

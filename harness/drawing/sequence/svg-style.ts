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
  '.label': 'font-size:12px;paint-order:stroke;stroke:var(--s-paper);stroke-width:3px;stroke-linejoin:round',
  '.outcome,.time,.place': 'fill:var(--s-faint)',
  '.name': 'font-weight:600',
  '.paper': 'fill:var(--s-paper)',
  '.lifeline': 'stroke:var(--s-line);stroke-width:1',
  '.box': 'fill:var(--s-box);stroke:var(--s-line)',
  '.note .box': 'fill:var(--s-note)',
  '.row': 'fill:transparent',
  '.step.at .row,.step:focus .row': 'fill:var(--s-mark)',
  '.step.at .label': 'stroke:var(--s-mark)',
  '.arrow': 'fill:none;stroke-width:1.5',
  '.request .arrow': 'stroke:var(--s-request);marker-end:url(#sequence-filled)',
  '.event .arrow': 'stroke:var(--s-event);stroke-dasharray:5 4;marker-end:url(#sequence-open)',
  '.call .arrow': 'stroke:var(--s-call);stroke-width:2.5;marker-end:url(#sequence-filled)',
  '.failure .arrow': 'stroke:var(--s-failure);marker-end:url(#sequence-cross)',
  '.failure .outcome': 'fill:var(--s-failure)',
  '.head': 'fill:context-stroke',
  '.open-head,.cross': 'fill:none;stroke:context-stroke;stroke-width:1.6',
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

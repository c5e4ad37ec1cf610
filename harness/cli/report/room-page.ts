import type { Row } from './room.ts';

/** How often a browser loads the page again, in seconds. */
const REFRESH_S = 5;

/** Renders the participants of a room as a page that refreshes itself. */
export function roomPage(title: string, rows: readonly Row[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${REFRESH_S}">
<title>${escaped(title)}</title>
<style>
body { font: 1.1rem system-ui, sans-serif; margin: 1.5rem; }
table { border-collapse: collapse; }
th, td { padding: .2rem .9rem .2rem 0; text-align: left; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.longest { font-weight: bold; color: #b00020; }
.done { color: #1b7f3b; }
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<table>
<thead><tr><th></th><th>name</th><th>kata</th><th>place</th><th class="number">laws</th><th class="number">katas done</th><th class="number">minutes</th></tr></thead>
<tbody>
${rows.map(rowOf).join('\n')}
</tbody>
</table>
<p>▶ has waited longest for a change.</p>
</body>
</html>
`;
}

function rowOf({ name, kata, place, laws, done, minutes, isStuckLongest }: Row): string {
  const kind = isStuckLongest ? ' class="longest"' : place === 'done' ? ' class="done"' : '';
  const cells = [isStuckLongest ? '▶' : '', name, kata, place].map((text) => `<td>${escaped(text)}</td>`);
  const numbers = [laws.all > 0 ? `${laws.hold}/${laws.all}` : '', done, minutes].map(
    (text) => `<td class="number">${escaped(String(text))}</td>`,
  );
  return `<tr${kind}>${[...cells, ...numbers].join('')}</tr>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

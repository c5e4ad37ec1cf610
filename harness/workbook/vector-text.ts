/**
 * Returns the text of one of upstream's tables, as it stands in `harness/conformance`: one line for each row, each upstream
 * test, and each other item of a list or an object at the top. So a diff shows the rows that changed, and nothing else.
 */
export function vectorText(table: unknown): string {
  return `${inLines(table, '', (value) => inLines(value, ' ', JSON.stringify))}\n`;
}

function inLines(value: unknown, indent: string, show: (value: unknown) => string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const items = Array.isArray(value)
    ? value.map((item) => JSON.stringify(item))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${show(item)}`);
  return `${open}\n${items.map((item) => `${indent} ${item}`).join(',\n')}\n${indent}${close}`;
}

/** Returns a value as the text of a TypeScript expression on one line: `{ do: 'heal' }`. */
export function expressionOf(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Number.isInteger(value)) return digitsOf(value as number);
  if (Array.isArray(value)) return `[${value.map(expressionOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return `${JSON.stringify(value)}`;
  const fields = Object.entries(value).flatMap(([key, field]) =>
    field === undefined
      ? []
      : `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)}: ${expressionOf(field)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** Returns a text with several lines as a template. */
export function templateOf(text: string): string {
  return `\`${text.replace(/[\\`]|\$\{/g, '\\$&')}\``;
}

/** Returns a number with groups of three digits: `12_345`. */
export function digitsOf(number: number): string {
  return `${number}`.replace(/\B(?=(\d{3})+(?!\d))/g, '_');
}

/** Quotes a text as Biome does: with the quotes that need fewer escapes. */
function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  const count = (quote: string): number => text.split(quote).length;
  if (count("'") > count('"')) return `"${inner}"`;
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

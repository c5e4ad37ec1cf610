import { semanticEqual } from '../../../api/semantic-equality.ts';

/**
 * One line `- path: value` for each value that went, one line `+ path: value` for each that came.
 *
 * What differs between two specs, for a user whose update was refused.
 *
 * Upstream prints the same with github.com/google/go-cmp cmp.Diff, over its own Go types.
 */
export function differences(before: unknown, after: unknown, path = 'spec'): string {
  if (semanticEqual(before, after)) return '';
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) {
    return line('-', path, before) + line('+', path, after);
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys]
    .map((key) =>
      differences(before[key], after[key], Array.isArray(before) ? `${path}[${key}]` : `${path}.${key}`),
    )
    .join('');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const line = (sign: string, path: string, value: unknown): string =>
  value === undefined ? '' : `${sign} ${path}: ${JSON.stringify(value)}\n`;

import { semanticEqual } from '../../../api/semantic-equality.ts';

/**
 * Describes how two specs differ, for a user whose update was rejected: a line `- path: value` for each removed
 * value, a line `+ path: value` for each added value.
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

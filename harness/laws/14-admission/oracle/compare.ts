import type { KubeObject, Pod } from '../../../api/objects.ts';
import { semanticEqual } from '../../../api/semantic-equality.ts';
import { withoutChance } from './pods.ts';

/**
 * Returns the first difference between an object and the expected one, in words; undefined if there is none. An empty
 * list or map equals a missing one.
 *
 * @param given - the object before a random name was chosen
 */
export function difference(
  object: KubeObject | undefined,
  expected: KubeObject | undefined,
  given: KubeObject | undefined,
): string | undefined {
  const a = comparable(object, given);
  const b = comparable(expected, given);
  return differs(a, b, '');
}

function comparable(object: KubeObject | undefined, given: KubeObject | undefined): unknown {
  if (!object) return undefined;
  if (object.kind !== 'Pod') return object;
  const pod = withoutChance(object as Pod, given as Pod | undefined);
  if (!pod.spec) return pod;
  const { serviceAccount, ...spec } = pod.spec;
  // The old name of the field is a copy.
  return serviceAccount === spec.serviceAccountName ? { ...pod, spec } : pod;
}

function differs(a: unknown, b: unknown, path: string): string | undefined {
  if (semanticEqual(a, b)) return undefined;
  if (isObject(a) && isObject(b) && Array.isArray(a) === Array.isArray(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    for (const key of keys) {
      const found = differs(
        a[key],
        b[key],
        Array.isArray(a) ? `${path}[${key}]` : path ? `${path}.${key}` : key,
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return `${path || 'the object'} is ${textOf(a)}, expected ${textOf(b)}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function textOf(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

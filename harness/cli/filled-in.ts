/** What the server made of what it was sent, field by field. */

/** One leaf of a stored object that differs from what was sent. */
export interface FilledIn {
  /** `spec.template.spec.containers[0].imagePullPolicy` */
  readonly path: string;
  readonly value: unknown;
  /** What was sent instead; absent when nothing was. */
  readonly sent?: unknown;
}

/**
 * The leaves of `stored` that are not in `sent`, or not with this value, in the order in which they are stored.
 * Items of lists are compared by their place: defaulting moves none. An empty object or list is a leaf.
 */
export function filledIn(sent: unknown, stored: unknown, path = ''): readonly FilledIn[] {
  const children = childrenOf(stored);
  if (children.length > 0) {
    const before = isParent(sent) ? (sent as Readonly<Record<string, unknown>>) : {};
    return children.flatMap(([key, value]) =>
      filledIn(before[key], value, join(stored as object, path, key)),
    );
  }
  if (isParent(stored) ? isParent(sent) : sent === stored) return [];
  return [{ path, value: stored, ...(sent === undefined || sent === null ? {} : { sent }) }];
}

/** `spec.replicas=3`, and where something else was sent `cpu=500m (you wrote 0.5)`. */
export function shown({ path, value, sent }: FilledIn): string {
  return `${path}=${text(value)}${sent === undefined ? '' : ` (you wrote ${text(sent)})`}`;
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function childrenOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isParent(value) ? Object.entries(value).filter(([, child]) => child !== undefined) : [];
}

/** A key with dots or slashes, as labels have, is told apart from a path by brackets. */
function join(parent: object, path: string, key: string): string {
  if (Array.isArray(parent)) return `${path}[${key}]`;
  if (/[./]/.test(key)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function text(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

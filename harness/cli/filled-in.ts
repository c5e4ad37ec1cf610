/** One leaf of a stored object that differs from the sent object. */
export interface FilledIn {
  /** `spec.template.spec.containers[0].imagePullPolicy` */
  readonly path: string;
  readonly value: unknown;
  /** The value that was sent instead; absent if the field was not sent. */
  readonly sent?: unknown;
}

/**
 * Returns the leaves of `stored` that `sent` lacks or has with another value, in stored order. Items of lists are
 * compared by index, because defaulting moves none. An empty object or list is a leaf.
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

/** Formats a field: `spec.replicas=3`, or `cpu=500m (you wrote 0.5)` if another value was sent. */
export function shown({ path, value, sent }: FilledIn): string {
  return `${path}=${text(value)}${sent === undefined ? '' : ` (you wrote ${text(sent)})`}`;
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function childrenOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isParent(value) ? Object.entries(value).filter(([, child]) => child !== undefined) : [];
}

/** Brackets around keys with dots or slashes, such as label names, distinguish them from paths. */
function join(parent: object, path: string, key: string): string {
  if (Array.isArray(parent)) return `${path}[${key}]`;
  if (/[./]/.test(key)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function text(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/**
 * Finds keys that occur twice in one object of a JSON text. JSON.parse silently keeps the last one; strict decoding
 * rejects them.
 *
 * Upstream: kubernetes-sigs/json, as kubernetes/apimachinery@v0.36.3 pins it, json.go DisallowDuplicateFields
 *
 * Differs: it does not know the kinds, so it also searches values that upstream keeps as raw JSON (fieldsV1 in
 * managedFields).
 */

/** One field of a text: its path, `spec.containers[0].image`, and whether the object already had that key. */
interface FieldOccurrence {
  readonly path: string;
  readonly repeated: boolean;
}

/**
 * Returns the paths of duplicate fields once, in the order of their second occurrence.
 *
 * @param text - valid JSON; for other texts the result is undefined
 */
export function duplicateFields(text: string): string[] {
  const paths = new Set<string>();
  scan(text, (open, repeated) => {
    if (repeated) paths.add(pathOf(open));
  });
  return [...paths];
}

/** Returns every field of a text in order. This is much slower than {@link duplicateFields}. */
export function fieldsOf(text: string): FieldOccurrence[] {
  const fields: FieldOccurrence[] = [];
  scan(text, (open, repeated) => fields.push({ path: pathOf(open), repeated }));
  return fields;
}

/** Scans a text and calls `onKey` for each key, with the objects and lists around it. */
function scan(text: string, onKey: (open: readonly Container[], repeated: boolean) => void): void {
  const open: Container[] = [];
  let expectsKey = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const container = open.at(-1);
    switch (token) {
      case '{':
        open.push({ keys: new Set(), key: '' });
        expectsKey = true;
        break;
      case '[':
        open.push({ index: 0 });
        expectsKey = false;
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (container !== undefined && 'index' in container) container.index++;
        else expectsKey = true;
        break;
      default: {
        if (!expectsKey || container === undefined || 'index' in container) break;
        expectsKey = false;
        // The same key can be spelled with escapes.
        container.key = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
        const repeated = container.keys.has(container.key);
        container.keys.add(container.key);
        onKey(open, repeated);
      }
    }
  }
}

/** An open object, with its keys so far and the current key, or an open list with the current index. */
type Container = { readonly keys: Set<string>; key: string } | { index: number };

/** Matches strings, brackets and commas; numbers, true, false, null and colons are irrelevant. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/gs;

function pathOf(open: readonly Container[]): string {
  return open.reduce((path, container) => {
    if ('index' in container) return `${path}[${container.index}]`;
    return path === '' ? container.key : `${path}.${container.key}`;
  }, '');
}

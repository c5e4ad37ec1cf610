/**
 * Finds the keys that occur twice in one object of a JSON text: JSON.parse keeps the last in silence, strict
 * decoding refuses them.
 *
 * Upstream: sigs.k8s.io/json (kubernetes-sigs/json) json.go DisallowDuplicateFields
 *
 * Differs: it knows no kinds, so it also looks into what upstream keeps as raw JSON (managedFields' fieldsV1).
 */

/**
 * The paths of the duplicate fields, `spec.containers[0].image`, in the order of their second occurrence; each
 * once, and at most a hundred.
 *
 * @param text - valid JSON; what comes of another text is not defined
 */
export function duplicateFields(text: string): string[] {
  const duplicates = new Set<string>();
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
        // The same key may be spelled with escapes.
        container.key = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
        if (!container.keys.has(container.key)) container.keys.add(container.key);
        else if (duplicates.size < DUPLICATES_MAX) duplicates.add(pathOf(open));
      }
    }
  }
  return [...duplicates];
}

/** What is being read: an object, with the keys met and the one at hand, or a list, with the index at hand. */
type Container = { readonly keys: Set<string>; key: string } | { index: number };

const DUPLICATES_MAX = 100;

/** Numbers, true, false, null and colons say nothing here. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/gs;

function pathOf(open: readonly Container[]): string {
  return open.reduce((path, container) => {
    if ('index' in container) return `${path}[${container.index}]`;
    return path === '' ? container.key : `${path}.${container.key}`;
  }, '');
}

/**
 * Finds the keys that occur twice in one object of a JSON text: JSON.parse keeps the last in silence, strict
 * decoding refuses them.
 *
 * Upstream: kubernetes-sigs/json, as kubernetes/apimachinery@v0.36.3 pins it, json.go DisallowDuplicateFields
 *
 * Differs: it knows no kinds, so it also looks into what upstream keeps as raw JSON (managedFields'
 * fieldsV1).
 */

/** One field of a text: its path, `spec.containers[0].image`, and whether its object had that key before. */
interface FieldOccurrence {
  readonly path: string;
  readonly repeated: boolean;
}

/**
 * The paths of the fields that occur twice in one object, in the order of their second occurrence, each once.
 *
 * @param text - valid JSON; what comes of another text is not defined
 */
export function duplicateFields(text: string): string[] {
  const paths = new Set<string>();
  scan(text, (open, repeated) => {
    if (repeated) paths.add(pathOf(open));
  });
  return [...paths];
}

/**
 * Every field of a text in the order in which they stand. It takes far longer than {@link duplicateFields}.
 */
export function fieldsOf(text: string): FieldOccurrence[] {
  const fields: FieldOccurrence[] = [];
  scan(text, (open, repeated) => fields.push({ path: pathOf(open), repeated }));
  return fields;
}

/** Reads a text and tells of each key, when it is met, in which objects and lists it stands. */
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
        // The same key may be spelled with escapes.
        container.key = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
        const repeated = container.keys.has(container.key);
        container.keys.add(container.key);
        onKey(open, repeated);
      }
    }
  }
}

/**
 * What is being read: an object, with the keys met and the one at hand, or a list, with the index at hand.
 */
type Container = { readonly keys: Set<string>; key: string } | { index: number };

/** Numbers, true, false, null and colons say nothing here. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/gs;

function pathOf(open: readonly Container[]): string {
  return open.reduce((path, container) => {
    if ('index' in container) return `${path}[${container.index}]`;
    return path === '' ? container.key : `${path}.${container.key}`;
  }, '');
}

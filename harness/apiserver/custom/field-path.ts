import type { StructuralSchema } from './structural-schema.ts';

/** The target of a path. */
interface FoundPath {
  /** The path in Go's form. */
  readonly path: string;
  /** The first name in the path. */
  readonly root: string;
  readonly schema: StructuralSchema | undefined;
}

/**
 * Finds the field of a schema at a path such as `.spec.hosts['a.b']`.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/cel/validation.go ValidFieldPath
 *
 * @param allowsBrackets - whether names in brackets are allowed
 * @returns the error message if the path is invalid
 */
export function fieldAt(path: string, schema: StructuralSchema, allowsBrackets: boolean): FoundPath | string {
  const tokens = [...path.matchAll(TOKEN)].map(([token]) => token);
  let found: FoundPath = { path: '', root: '', schema };
  for (let i = 0; i < tokens.length; ) {
    const token = tokens[i++] as string;
    if (token !== '.' && token !== '[') return `expected [ or . but got: ${token}`;
    if (token === '[' && !allowsBrackets) return 'array notation is not allowed';
    const next = tokens[i++];
    if (next === undefined) return 'unexpected end of JSON path';
    let name = next;
    if (token === '[') {
      if (!/^'.*'$/s.test(next) || next.length < 2) return `expected single quoted string but got ${next}`;
      name = next.slice(1, -1).replace(/\\(.)/g, '$1');
    }
    const step = below(found, name);
    if (!step) return 'does not refer to a valid field';
    found = step;
    if (token === '.') continue;
    const closing = tokens[i++];
    if (closing === undefined) return 'unexpected end of JSON path';
    if (closing !== ']') return `expected ] but got ${closing}`;
  }
  return found;
}

/** Matches dots, brackets, quoted strings, and the text between them. */
const TOKEN = /[.[\]]|'(?:[^'\\]|\\.)*'|[^.[\]]+/g;

function below({ path, root, schema }: FoundPath, name: string): FoundPath | undefined {
  const { properties, additionalProperties } = schema ?? {};
  if (properties && Object.keys(properties).length > 0) {
    if (!Object.hasOwn(properties, name)) return undefined;
    return { path: path ? `${path}.${name}` : name, root: root || name, schema: properties[name] };
  }
  if (additionalProperties === undefined || additionalProperties === null) return undefined;
  const known = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return { path: `${path}[${name}]`, root: root || `[${name}]`, schema: known };
}

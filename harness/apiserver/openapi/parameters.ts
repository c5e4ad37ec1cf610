import { apiTypes } from '../../api/table/table.ts';
import type { Schema } from './schema.ts';

/** A parameter in the path or the query. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: true;
  readonly schema: Schema & { readonly uniqueItems: true };
}

/** Creates a parameter for a segment of the path. */
export function pathParameter(name: string): Parameter {
  return { name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } };
}

/** A parameter of every operation on resources. */
export const pretty: Parameter = query('pretty', 'string');

/**
 * Returns the options of a verb as query parameters: the fields of their struct that are not structs themselves.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/installer.go AddObjectParams
 *
 * @param struct - the name of a struct of meta/v1: `CreateOptions`
 */
export function optionParameters(struct: string, without: readonly string[] = []): readonly Parameter[] {
  const fields = [...(apiTypes.struct(`meta/v1.${struct}`)?.properties.values() ?? [])];
  return fields.flatMap(({ name, type }) => {
    const known = typeInQuery(type);
    const isLeftOut =
      known === undefined || name === 'kind' || name === 'apiVersion' || without.includes(name);
    return isLeftOut ? [] : [query(name, known)];
  });
}

function query(name: string, type: NonNullable<Schema['type']>): Parameter {
  return { name, in: 'query', schema: { type, uniqueItems: true } };
}

/** Returns the type of a query parameter. A list is a repeated parameter, so its type is that of an item. */
function typeInQuery(type: string): NonNullable<Schema['type']> | undefined {
  const name = type.replace(/^(?:\*|\[\])/, '');
  const underlying = apiTypes.named(name)?.underlying ?? name;
  if (underlying === 'string') return 'string';
  if (underlying === 'bool') return 'boolean';
  return /^int\d+$/.test(underlying) ? 'integer' : undefined;
}

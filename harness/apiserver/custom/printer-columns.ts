import type { CustomResourceColumnDefinition } from '#api/apiextensions/v1';
import type { KubeObject } from '../../api/objects.ts';
import { isList, isObject, type Json } from '../patch/json-value.ts';
import { goNumber } from '../schema/go-format.ts';
import { age, type Cell, type Column, name } from '../table/column.ts';
import { find, isPath } from './json-path.ts';

/**
 * Returns the columns of a custom resource: its name, and the columns of its definition or else the age. Ignores all
 * columns from the first invalid path on.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/registry/customresource/tableconvertor/tableconvertor.go New
 */
export function columnsOfDefinition(
  definitions: readonly CustomResourceColumnDefinition[] | undefined,
): readonly Column<never>[] {
  if (!definitions?.length) return [name, { ...age, type: 'date' }] as readonly Column<never>[];
  const unread = definitions.findIndex(({ jsonPath }) => !isPath(jsonPath));
  const read = unread < 0 ? definitions : definitions.slice(0, unread);
  return [name, ...read.map(columnOf)] as readonly Column<never>[];
}

function columnOf({
  name: title,
  type,
  format = '',
  description,
  priority = 0,
  jsonPath,
}: CustomResourceColumnDefinition): Column<KubeObject> {
  return {
    name: title,
    type: type as Column<never>['type'],
    format: format as Column<never>['format'],
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: priority as 0 | 1,
    cell: (object, ago) => {
      const [first] = find(jsonPath, object as unknown as Json) ?? [];
      if (first === undefined) return null;
      if (type === 'string') return textOf(first);
      if (first === null) return null;
      if (type === 'date') return typeof first === 'string' ? dateOf(first, ago) : null;
      if (type === 'integer') return typeof first === 'number' ? Math.trunc(first) : null;
      return typeof first === type ? (first as Cell) : null;
    },
  };
}

/** Upstream: kubernetes/client-go@v0.36.3 util/jsonpath/jsonpath.go PrintResults */
function textOf(value: Json): string {
  if (value === null) return '<no value>';
  if (typeof value === 'number') return goNumber(value);
  return isList(value) || isObject(value) ? JSON.stringify(value) : String(value);
}

/**
 * Returns the time since then.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/time.go UnmarshalQueryParameter
 */
function dateOf(text: string, ago: (time: string) => Cell): Cell {
  if (text === '' || text === 'null') return '<unknown>';
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text))
    ? ago(text)
    : '<invalid>';
}

import type { CustomResourceColumnDefinition } from '#api/apiextensions/v1';
import type { KubeObject } from '../../api/objects.ts';
import type { Json } from '../patch/json-value.ts';
import { age, type Cell, type Column, name } from '../table/column.ts';
import { find } from './json-path.ts';

/**
 * The columns of a custom resource: its name, and what its definition says, or its age.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/registry/customresource/tableconvertor/tableconvertor.go New
 */
export function columnsOfDefinition(
  definitions: readonly CustomResourceColumnDefinition[] = [],
): readonly Column<never>[] {
  if (definitions.length === 0) return [name, { ...age, type: 'date' }] as readonly Column<never>[];
  return [name, ...definitions.map(columnOf)] as readonly Column<never>[];
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
      const found = find(jsonPath, object as unknown as Json);
      const [first] = found;
      if (type === 'string') return found.map(textOf).join(' ') || (null as unknown as Cell);
      if (first === undefined || first === null) return null as unknown as Cell;
      if (type === 'date') return typeof first === 'string' ? ago(first) : '<invalid>';
      if (type === 'integer')
        return typeof first === 'number' ? Math.trunc(first) : (null as unknown as Cell);
      return typeof first === type ? (first as Cell) : (null as unknown as Cell);
    },
  };
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

import type { KubeObject, List } from '../../api/objects.ts';
import { INITIAL_EVENTS_END } from '../../api/watch-event.ts';
import { type Ago, agoAt } from './ago.ts';
import type { Cell, Column, RowCondition } from './column.ts';
import { defaultColumns } from './default-columns.ts';
import { columnsOf } from './index.ts';
import {
  type MetaVersion,
  type PartialObjectMetadata,
  partialObjectMetadata,
} from './partial-object-metadata.ts';
import { podConditions } from './pod.ts';

/**
 * Objects as rows, for clients that print objects of unknown kinds.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go Table
 */
interface Table {
  readonly kind: 'Table';
  readonly apiVersion: MetaVersion;
  readonly metadata: Partial<List<KubeObject>['metadata']>;
  /** null if the client already has them. */
  readonly columnDefinitions: readonly ColumnDefinition[] | null;
  readonly rows: readonly Row[] | null;
}

type ColumnDefinition = Omit<Column<never>, 'cell'>;

interface Row {
  /** One cell per column. */
  readonly cells: readonly Cell[];
  readonly conditions?: readonly RowCondition[];
  readonly object: object | null;
}

/** Options of a table. */
export interface TableOptions {
  readonly apiVersion: MetaVersion;
  /** The part of the object that each row includes. @defaultValue `Metadata` */
  readonly includeObject: 'None' | 'Metadata' | 'Object' | '';
  /** Whether to omit the column definitions. */
  readonly noHeaders: boolean;
  /** The group and the kind of the objects, or of the items of a list. */
  readonly group: string;
  readonly kind: string;
  /** The columns of a custom resource. @defaultValue the columns of the kind */
  readonly columns?: readonly Column<never>[] | undefined;
  /** Milliseconds since 1970; without it, ages are unknown. */
  readonly now: number | undefined;
}

/**
 * Converts an object or a list to a table. The table always includes the columns for wide output.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/response.go asTable;
 * kubernetes/kubernetes@v1.36.3 pkg/printers/tablegenerator.go GenerateTable
 */
export function asTable(result: KubeObject | List<KubeObject>, options: TableOptions): Table {
  const columns = options.columns ?? columnsOf(options.group, options.kind);
  const ago = agoAt(options.now);
  const objects = isList(result) ? result.items : [result];
  const rows = objects.map((object) => rowOf(object, columns, ago, options));
  // Metrics tables have no columns without a row, and empty tables with the default columns have `null` rows upstream.
  const isMeasured = options.group === 'metrics.k8s.io';
  const isWithoutColumns = options.noHeaders || (isMeasured && rows.length === 0);
  return {
    kind: 'Table',
    apiVersion: options.apiVersion,
    metadata: isList(result) ? result.metadata : resourceVersionOf(result),
    columnDefinitions: isWithoutColumns ? null : columns.map(({ cell: _, ...definition }) => definition),
    rows: rows.length === 0 && (isMeasured || columns === defaultColumns) ? null : rows,
  };
}

/**
 * Reports whether the result is a list; a single object has a name.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/unstructured/unstructured.go Unstructured.IsList
 *
 * Differs: upstream treats a custom resource with a field `items` as a list and shows these items as rows.
 */
export function isList(result: object): result is List<KubeObject> {
  const { items, metadata } = result as { items?: unknown; metadata?: { name?: unknown } };
  return Array.isArray(items) && typeof metadata?.name !== 'string';
}

function resourceVersionOf({ metadata }: KubeObject): Table['metadata'] {
  return metadata.resourceVersion ? { resourceVersion: metadata.resourceVersion } : {};
}

function rowOf(object: KubeObject, columns: readonly Column<never>[], ago: Ago, options: TableOptions): Row {
  const conditions = options.group === '' && options.kind === 'Pod' ? podConditions(object) : [];
  return {
    cells: columns.map(({ cell }) => cell(object as never, ago)),
    ...(conditions.length > 0 ? { conditions } : {}),
    object: includedOf(object, options),
  };
}

function includedOf(
  object: KubeObject,
  { includeObject, apiVersion }: TableOptions,
): KubeObject | PartialObjectMetadata | null {
  if (includeObject === 'Object') return object;
  // A client without objects in its rows must still see the end of a streaming list.
  const isEnd = object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
  return includeObject === 'None' && !isEnd ? null : partialObjectMetadata(object, apiVersion);
}

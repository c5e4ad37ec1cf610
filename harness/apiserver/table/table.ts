import type { KubeObject, List } from '../../api/objects.ts';
import { INITIAL_EVENTS_END } from '../../api/watch-event.ts';
import { type Ago, agoAt } from './ago.ts';
import type { Cell, Column } from './column.ts';
import { defaultColumns } from './default-columns.ts';
import { columnsOf } from './index.ts';
import {
  type MetaVersion,
  type PartialObjectMetadata,
  partialObjectMetadata,
} from './partial-object-metadata.ts';
import { podConditions } from './pod.ts';

/**
 * Objects as rows, for clients that print them and know nothing of their kinds.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go Table
 */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: MetaVersion;
  readonly metadata: Partial<List<KubeObject>['metadata']>;
  /** null where the client knows them already. */
  readonly columnDefinitions: readonly ColumnDefinition[] | null;
  readonly rows: readonly Row[] | null;
}

type ColumnDefinition = Omit<Column<never>, 'cell'>;

interface Row {
  /** One for each column. */
  readonly cells: readonly Cell[];
  readonly conditions?: readonly RowCondition[];
  readonly object: object | null;
}

/** What is so of the object of a row as a whole. */
export interface RowCondition {
  readonly type: 'Completed';
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
}

/** How a table is asked for. */
export interface TableOptions {
  readonly apiVersion: MetaVersion;
  /** What each row has of its object. @defaultValue `Metadata` */
  readonly includeObject: 'None' | 'Metadata' | 'Object' | '';
  /** Leaves out the definitions of the columns. */
  readonly noHeaders: boolean;
  /** The kind of the objects; that of the items, for a list. */
  readonly group: string;
  readonly kind: string;
  /** Those of a custom resource. @defaultValue those of the kind */
  readonly columns?: readonly Column<never>[] | undefined;
  /** Milliseconds since 1970; without it no age is known. */
  readonly now: number | undefined;
}

/**
 * One object or a list as a table. It always has the columns for those who ask for more, too.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/response.go asTable;
 * kubernetes/kubernetes@v1.36.3 pkg/printers/tablegenerator.go GenerateTable
 */
export function asTable(result: KubeObject | List<KubeObject>, options: TableOptions): Table {
  const columns = options.columns ?? columnsOf(options.group, options.kind);
  const ago = agoAt(options.now);
  const objects = isList(result) ? result.items : [result];
  const rows = objects.map((object) => rowOf(object, columns, ago, options));
  // The columns of what is measured come with the first that was, and upstream's default columns have no list where there is nothing to tell.
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
 * A page of objects, and not one of them, which has a name.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/unstructured/unstructured.go Unstructured.IsList
 *
 * Differs: upstream takes a custom resource with `items` of its own for a list, and shows these as a table's rows.
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
  // A client that asks for no object still needs to see that a streaming list is complete.
  const isEnd = object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
  return includeObject === 'None' && !isEnd ? null : partialObjectMetadata(object, apiVersion);
}

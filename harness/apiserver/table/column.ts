import type { ObjectMeta } from '#api/meta/v1';
import type { Ago } from './ago.ts';

/** The content of one column in one row. */
export type Cell = string | number | boolean | null;

/**
 * One column of the table of a kind.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go TableColumnDefinition; the columns of each kind
 * are those of kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go AddHandlers
 *
 * Differs: the descriptions are our own.
 */
export interface Column<T> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** The format `name` marks the cell with the name of the object. */
  readonly format: '' | 'name' | 'quantity' | 'duration';
  readonly description: string;
  /** Columns with priority 1 are for wide output: kubectl shows them only with `-o wide`. */
  readonly priority: 0 | 1;
  /** Returns the cell. Never throws, even if the stored object lacks fields. */
  readonly cell: (object: T, ago: Ago) => Cell;
}

/** A condition of the object of a row. */
export interface RowCondition {
  readonly type: 'Completed';
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
}

/** The fields that the columns of every kind can use. */
interface Named {
  readonly metadata?: ObjectMeta;
}

/** Creates a text column. Some of them contain numbers anyway, as upstream's do. */
export function text<T>(name: string, description: string, cell: Column<T>['cell']): Column<T> {
  return { name, type: 'string', format: '', description, priority: 0, cell };
}

/** Creates an integer column. */
export function integer<T>(name: string, description: string, cell: Column<T>['cell']): Column<T> {
  return { ...text(name, description, cell), type: 'integer' };
}

/** Creates a boolean column. */
export function boolean<T>(name: string, description: string, cell: Column<T>['cell']): Column<T> {
  return { ...text(name, description, cell), type: 'boolean' };
}

/** Returns the same column for wide output. */
export function wide<T>(column: Column<T>): Column<T> {
  return { ...column, priority: 1 };
}

/** Returns the same column with the format `name`. */
export function naming<T>(column: Column<T>): Column<T> {
  return { ...column, format: 'name' };
}

/** The text for an empty value. */
export const NONE = '<none>';

/** The text for a field that is not set. */
export const UNSET = '<unset>';

/** The name of the object. */
export const name: Column<Named> = naming(
  text('Name', 'Unique among the objects of this kind in the namespace.', nameOf),
);

/** The time since the object was created. */
export const age: Column<Named> = text('Age', 'The time since the object was created.', ({ metadata }, ago) =>
  ago(metadata?.creationTimestamp),
);

/** Returns the name, or `''` for an object without a name, such as the object of a bookmark. */
export function nameOf({ metadata }: Named): string {
  return metadata?.name ?? '';
}

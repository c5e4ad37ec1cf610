import type { ObjectMeta } from '#api/meta/v1';
import type { Ago } from './ago.ts';

/** What stands in one column of one row. */
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
  /** `name`: the cell names the object. */
  readonly format: '' | 'name' | 'quantity' | 'duration';
  readonly description: string;
  /** A column of 1 is for those who ask for more: kubectl shows it with `-o wide` alone. */
  readonly priority: 0 | 1;
  /** Never throws, whatever a stored object lacks. */
  readonly cell: (object: T, ago: Ago) => Cell;
}

/** What the columns of every kind can count on. */
interface Named {
  readonly metadata?: ObjectMeta;
}

/** A column of texts. Some hold numbers all the same, as upstream's do. */
export function text<T>(name: string, description: string, cell: Column<T>['cell']): Column<T> {
  return { name, type: 'string', format: '', description, priority: 0, cell };
}

/** A column of whole numbers. */
export function integer<T>(name: string, description: string, cell: Column<T>['cell']): Column<T> {
  return { ...text(name, description, cell), type: 'integer' };
}

/** A column of truths. */
export function boolean<T>(name: string, description: string, cell: Column<T>['cell']): Column<T> {
  return { ...text(name, description, cell), type: 'boolean' };
}

/** The same column, for those who ask for more. */
export function wide<T>(column: Column<T>): Column<T> {
  return { ...column, priority: 1 };
}

/** The same column, whose cells name the object. */
export function naming<T>(column: Column<T>): Column<T> {
  return { ...column, format: 'name' };
}

/** What stands where there is nothing. */
export const NONE = '<none>';

/** What stands where a field is not set. */
export const UNSET = '<unset>';

/** The object's name. */
export const name: Column<Named> = naming(
  text('Name', 'Unique among the objects of this kind in the namespace.', nameOf),
);

/** The time since the object was created. */
export const age: Column<Named> = text('Age', 'The time since the object was created.', ({ metadata }, ago) =>
  ago(metadata?.creationTimestamp),
);

/** `''` for an object that has no name, such as that of a bookmark. */
export function nameOf({ metadata }: Named): string {
  return metadata?.name ?? '';
}

import { quote } from '../../api/names.ts';
import { type Cause, failure, StatusError } from '../../api/status.ts';
import { type Path, pathText } from './path-element.ts';

/** A field that is applied, and that another manager owns with another value. */
export interface Conflict {
  /** As {@link managerKey} makes it. */
  readonly manager: string;
  readonly path: Path;
}

/**
 * The refusal of an apply.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/conflict.go NewConflictError
 *
 * Differs: the causes stand in the order of the managers; upstream's order is that of a map of Go.
 */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const told = [...conflicts].sort((a, b) => (a.manager < b.manager ? -1 : a.manager > b.manager ? 1 : 0));
  const causes: Cause[] = told.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText(manager)}`,
    field: pathText(path),
  }));
  return new StatusError(failure('Conflict', messageOf(told), { causes }));
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [only] = conflicts;
  if (only && conflicts.length === 1) {
    const what = `${managerText(only.manager)}: ${pathText(only.path)}`;
    return `Apply failed with 1 conflict: conflict with ${what}`;
  }
  const lines: string[] = [];
  let last: string | undefined;
  for (const { manager, path } of conflicts) {
    if (manager !== last) lines.push(`conflicts with ${managerText(manager)}:`);
    lines.push(`- ${pathText(path)}`);
    last = manager;
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerText(key: string): string {
  const { manager = '', operation, apiVersion, subresource } = JSON.parse(key) as ManagerKey;
  const name = subresource ? `${quote(manager)} with subresource ${quote(subresource)}` : quote(manager);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}

/** What tells entries of managedFields apart. */
export interface ManagerKey {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly subresource?: string;
}

/**
 * The key of a manager's entry. The version is part of it for updates alone: who applies has one entry, whatever
 * version it speaks.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/managedfields.go BuildManagerIdentifier
 */
export function managerKey({ manager, operation, apiVersion, subresource }: ManagerKey): string {
  return JSON.stringify({
    ...(manager ? { manager } : {}),
    ...(operation ? { operation } : {}),
    ...(apiVersion && operation !== 'Apply' ? { apiVersion } : {}),
    ...(subresource ? { subresource } : {}),
  });
}

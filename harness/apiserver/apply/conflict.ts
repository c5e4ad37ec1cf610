import { quote } from '../../api/names.ts';
import { type Cause, failure, StatusError } from '../../api/status.ts';
import { type Path, pathText } from './path-element.ts';

/** An applied field that another manager owns with another value. */
export interface Conflict {
  /** The result of {@link managerKey}. */
  readonly manager: string;
  readonly path: Path;
}

/**
 * Creates the error of an apply with conflicts.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/conflict.go NewConflictError
 *
 * Differs: the causes are sorted by manager; upstream has the order of a Go map.
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

/** The properties that identify an entry of managedFields. */
export interface ManagerKey {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly subresource?: string;
}

/**
 * Returns the key of a manager's entry. The version is part of the key only for updates: a manager that applies has one
 * entry for all versions.
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

import type { Lease } from '#api/coordination/v1';
import type { ConfigMap, Namespace, Secret, ServiceAccount } from '#api/core/v1';
import type { RuntimeClass } from '#api/node/v1';
import type { PodDisruptionBudget } from '#api/policy/v1';
import type { PriorityClass } from '#api/scheduling/v1';
import { age, boolean, type Column, integer, name, text } from './column.ts';

/** The columns of a Namespace. */
export const namespaceColumns: readonly Column<Namespace>[] = [
  name,
  text('Status', 'Whether it is in use or going away.', ({ status }) => status?.phase ?? ''),
  age,
];

/** The columns of a ConfigMap. */
export const configMapColumns: readonly Column<ConfigMap>[] = [
  name,
  text('Data', 'How many entries it has.', ({ data, binaryData }) => count(data) + count(binaryData)),
  age,
];

/** The columns of a Secret. */
export const secretColumns: readonly Column<Secret>[] = [
  name,
  text('Type', 'What it is for.', ({ type }) => type ?? ''),
  text('Data', 'How many entries it has.', ({ data }) => count(data)),
  age,
];

/** The columns of a ServiceAccount. */
export const serviceAccountColumns: readonly Column<ServiceAccount>[] = [name, age];

/** The columns of a Lease. */
export const leaseColumns: readonly Column<Lease>[] = [
  name,
  text('Holder', 'Whose it is.', ({ spec }) => spec?.holderIdentity ?? ''),
  age,
];

/** The columns of a PodDisruptionBudget. */
export const podDisruptionBudgetColumns: readonly Column<PodDisruptionBudget>[] = [
  name,
  text('Min Available', 'How many pods must stay.', ({ spec }) => String(spec?.minAvailable ?? 'N/A')),
  text('Max Unavailable', 'How many pods may be gone.', ({ spec }) => String(spec?.maxUnavailable ?? 'N/A')),
  integer(
    'Allowed Disruptions',
    'How many pods may be evicted now.',
    ({ status }) => status?.disruptionsAllowed ?? 0,
  ),
  age,
];

/** The columns of a PriorityClass. */
export const priorityClassColumns: readonly Column<PriorityClass>[] = [
  name,
  integer('Value', 'The priority of its pods.', ({ value }) => value ?? 0),
  boolean(
    'Global-Default',
    'Whether pods that name no class have it.',
    ({ globalDefault }) => globalDefault ?? false,
  ),
  age,
  text(
    'PreemptionPolicy',
    'Whether its pods make others go.',
    ({ preemptionPolicy }) => preemptionPolicy ?? '',
  ),
];

/** The columns of a RuntimeClass. */
export const runtimeClassColumns: readonly Column<RuntimeClass>[] = [
  name,
  text('Handler', 'How the container runtime names it.', ({ handler }) => handler ?? ''),
  age,
];

function count(entries: object | null | undefined): number {
  return Object.keys(entries ?? {}).length;
}

import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from '#api/apps/v1';
import type { PodTemplate, ReplicationController } from '#api/core/v1';
import { age, type Column, integer, NONE, name, text, wide } from './column.ts';
import { containerColumns } from './containers.ts';
import { formatLabelSelector, formatLabels, selectorText } from './labels.ts';

/** The columns of a ReplicaSet. */
export const replicaSetColumns: readonly Column<ReplicaSet>[] = [
  name,
  ...replicaColumns<ReplicaSet>(),
  age,
  ...containerColumns<ReplicaSet>(({ spec }) => spec?.template),
  selector(({ spec }) => formatLabelSelector(spec?.selector)),
];

/** The columns of a ReplicationController. */
export const replicationControllerColumns: readonly Column<ReplicationController>[] = [
  name,
  ...replicaColumns<ReplicationController>(),
  age,
  ...containerColumns<ReplicationController>(({ spec }) => spec?.template),
  selector(({ spec }) => formatLabels(spec?.selector)),
];

/** The columns of a PodTemplate. It always shows the columns that other kinds show only in wide output. */
export const podTemplateColumns: readonly Column<PodTemplate>[] = [
  name,
  ...containerColumns<PodTemplate>(({ template }) => template).map((column) => ({
    ...column,
    priority: 0 as const,
  })),
  text('Pod Labels', 'The labels of the pods that are made from it.', ({ template }) =>
    formatLabels(template?.metadata?.labels),
  ),
];

/** The columns of a Deployment. A selector without requirements is an empty text here. */
export const deploymentColumns: readonly Column<Deployment>[] = [
  name,
  readyColumn<Deployment>(),
  text('Up-to-date', 'How many pods have the newest template.', ({ status }) => status?.updatedReplicas ?? 0),
  text(
    'Available',
    'How many pods have been ready for long enough.',
    ({ status }) => status?.availableReplicas ?? 0,
  ),
  age,
  ...containerColumns<Deployment>(({ spec }) => spec?.template),
  selector(({ spec }) => selectorText(spec?.selector, '<invalid>')),
];

/** The columns of a StatefulSet. */
export const statefulSetColumns: readonly Column<StatefulSet>[] = [
  name,
  readyColumn<StatefulSet>(),
  age,
  ...containerColumns<StatefulSet>(({ spec }) => spec?.template),
];

/** The columns of a DaemonSet. */
export const daemonSetColumns: readonly Column<DaemonSet>[] = [
  name,
  integer(
    'Desired',
    'How many nodes shall run a pod of it.',
    ({ status }) => status?.desiredNumberScheduled ?? 0,
  ),
  integer(
    'Current',
    'How many nodes run a pod of it, and shall.',
    ({ status }) => status?.currentNumberScheduled ?? 0,
  ),
  integer(
    'Ready',
    'How many nodes have a pod of it that is ready.',
    ({ status }) => status?.numberReady ?? 0,
  ),
  integer(
    'Up-to-date',
    'How many nodes have a pod with the newest template.',
    ({ status }) => status?.updatedNumberScheduled ?? 0,
  ),
  integer(
    'Available',
    'How many nodes have a pod that has been ready for long enough.',
    ({ status }) => status?.numberAvailable ?? 0,
  ),
  text('Node Selector', 'The labels that a node must have.', ({ spec }) =>
    formatLabels(spec?.template?.spec?.nodeSelector),
  ),
  age,
  ...containerColumns<DaemonSet>(({ spec }) => spec?.template),
  selector(({ spec }) => formatLabelSelector(spec?.selector)),
];

/** The columns of a ControllerRevision. */
export const controllerRevisionColumns: readonly Column<ControllerRevision>[] = [
  name,
  text('Controller', 'The object whose revision it is.', controllerOf),
  text('Revision', 'Its number: a later revision has a greater one.', ({ revision }) => revision ?? 0),
  age,
];

function controllerOf({ metadata }: ControllerRevision): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return NONE;
  const [, group = ''] = (owner.apiVersion ?? '').split('/').reverse();
  return `${(group ? `${owner.kind}.${group}` : owner.kind).toLowerCase()}/${owner.name}`;
}

interface Replicated {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number; readonly readyReplicas?: number };
}

function replicaColumns<T extends Replicated>(): readonly Column<T>[] {
  return [
    integer('Desired', 'How many pods there shall be.', ({ spec }) => spec?.replicas ?? 0),
    integer('Current', 'How many pods there are.', ({ status }) => status?.replicas ?? 0),
    integer('Ready', 'How many pods are ready.', ({ status }) => status?.readyReplicas ?? 0),
  ];
}

function readyColumn<T extends Replicated>(): Column<T> {
  return text(
    'Ready',
    'How many pods are ready, of how many.',
    ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  );
}

function selector<T>(cell: (object: T) => string): Column<T> {
  return wide(text('Selector', 'The labels of the pods that belong to it.', cell));
}

import type { framework, labels, Node, Pod } from '#harness';
import { aSchedulingNode, aSchedulingPod } from '#laws/scheduling';

/** The requests of a pod. */
export type PodSpec = Pod['spec'];

/** The labels of a pod or a node. */
export type Labels = labels.Labels;

/** A pod of a table row. */
export interface PodRow {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Labels;
    readonly deletionTimestamp?: string;
  };
  readonly spec?: Partial<PodSpec>;
}

/** The pod of a row. */
export const podOf = ({ metadata = {}, spec = {} }: PodRow, index = 0): Pod => {
  const { deletionTimestamp, ...named } = metadata;
  return aSchedulingPod({ name: `pod-${index}`, ...named, deleted: deletionTimestamp !== undefined, spec });
};

/** A node of a table row. */
export interface NodeRow {
  readonly metadata?: { readonly name?: string; readonly labels?: Labels };
  readonly spec?: Node['spec'];
  readonly status?: { readonly allocatable?: framework.ResourceList };
}

/** The node of a row. */
export const nodeOf = ({ metadata = {}, spec = {}, status = {} }: NodeRow): Node =>
  aSchedulingNode(metadata.name ?? 'node', { ...metadata, ...spec, ...status });

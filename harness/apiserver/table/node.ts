import type { Node } from '#api/core/v1';
import { UNKNOWN } from './ago.ts';
import { age, type Column, NONE, name, text, wide } from './column.ts';

/** The columns of a Node. */
export const nodeColumns: readonly Column<Node>[] = [
  name,
  text('Status', 'Whether the node is ready, and whether pods may be bound to it.', nodeStatus),
  text('Roles', 'What the node is for, by its labels.', (node) => rolesOf(node).join(',') || NONE),
  age,
  text('Version', 'The version of its kubelet.', ({ status }) => status?.nodeInfo?.kubeletVersion ?? ''),
  wide(text('Internal-IP', 'Its first address inside of the cluster.', addressOf('InternalIP'))),
  wide(text('External-IP', 'Its first address for the world outside.', addressOf('ExternalIP'))),
  wide(text('OS-Image', 'Its operating system.', ({ status }) => status?.nodeInfo?.osImage || UNKNOWN)),
  wide(text('Kernel-Version', 'Its kernel, and the architecture of its processors.', kernel)),
  wide(
    text(
      'Container-Runtime',
      'Its container runtime.',
      ({ status }) => status?.nodeInfo?.containerRuntimeVersion || UNKNOWN,
    ),
  ),
];

function nodeStatus({ spec, status }: Node): string {
  const ready = status?.conditions?.findLast(({ type }) => type === 'Ready');
  const word = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return spec?.unschedulable ? `${word},SchedulingDisabled` : word;
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go findNodeRoles */
function rolesOf({ metadata }: Node): string[] {
  const roles = Object.entries(metadata?.labels ?? {}).map(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === ROLE_LABEL ? value : '';
  });
  return [...new Set(roles.filter(Boolean))].sort();
}

function addressOf(wanted: string): (node: Node) => string {
  return ({ status }) => status?.addresses?.find(({ type }) => type === wanted)?.address ?? NONE;
}

function kernel({ status }: Node): string {
  const { kernelVersion, architecture } = status?.nodeInfo ?? {};
  return `${kernelVersion || UNKNOWN}${architecture ? ` (${architecture})` : ''}`;
}

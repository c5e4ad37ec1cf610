import type { Node, Pod } from '#harness';

/** Labels of a pod or a node. */
export type Labels = Readonly<Record<string, string>>;

/** The parts of a pod that a test can set; the others have defaults. */
export interface PodParts {
  readonly uid?: string;
  readonly labels?: Labels;
  readonly priority?: number;
  readonly nodeName?: string;
  readonly schedulerName?: string;
  readonly finalizers?: readonly string[];
  readonly phase?: string;
  readonly gates?: readonly string[];
}

/** Gives each object its own resourceVersion. */
let revision = 0;

/** Returns a pod with these parts and defaults for the others. */
export function aPod(name: string, parts: PodParts = {}): Pod {
  const { uid = `uid-of-${name}`, labels, priority, nodeName, finalizers, phase = 'Pending' } = parts;
  const { schedulerName = 'default-scheduler', gates } = parts;
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid,
      resourceVersion: String(++revision),
      ...(labels ? { labels } : {}),
      ...(finalizers ? { finalizers } : {}),
    },
    spec: {
      schedulerName,
      containers: [{ name: 'web', image: 'nginx' }],
      ...(priority === undefined ? {} : { priority }),
      ...(nodeName === undefined ? {} : { nodeName }),
      ...(gates ? { schedulingGates: gates.map((name) => ({ name })) } : {}),
    },
    status: { phase },
  };
  return pod as unknown as Pod;
}

/** @param parts.pods - The number of pods that the node takes. */
export function aNode(name: string, parts: { readonly pods?: number; readonly labels?: Labels } = {}): Node {
  const { pods = 110, labels } = parts;
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: `uid-of-${name}`,
      resourceVersion: String(++revision),
      ...(labels ? { labels } : {}),
    },
    spec: {},
    status: { allocatable: { pods: String(pods) } },
  };
  return node as unknown as Node;
}

/** The key of a pod of this name. */
export const key = (name: string) => ({ namespace: 'default', name });

/** Returns the names of objects, sorted. */
export const namesOf = (all: readonly { readonly metadata: { readonly name: string } }[]): string[] =>
  all.map(({ metadata }) => metadata.name).sort();

/** Formats the condition PodScheduled: `False Unschedulable: 0/1 nodes …`. */
export function sayCondition(pod: Pod | undefined): string | undefined {
  const found = pod?.status.conditions?.find(({ type }) => type === 'PodScheduled');
  return found && [found.status, found.reason && `${found.reason}:`, found.message].filter(Boolean).join(' ');
}

import { nodes, pods } from '../../api/resource.ts';
import type { Answer } from '../call.ts';
import { matches, sized, valueAt } from '../expectation.ts';
import type { Session } from '../session.ts';
import { named, type PodParts, pod } from './manifests.ts';

/** Waits until this number of pods have the labels. Returns their names. */
export async function podsOf(api: Session, labelSelector: string, count: number): Promise<readonly string[]> {
  const answer = await api.list(pods, { labelSelector }).becomes({ items: sized(count) });
  return namesIn(answer);
}

/** Returns the names of the objects in a list. */
export function namesIn({ body }: Answer): readonly string[] {
  return itemsOf(body).map((item) => String(valueAt(item, 'metadata.name')));
}

function itemsOf(body: unknown): readonly unknown[] {
  const items = valueAt(body, 'items');
  return Array.isArray(items) ? items : [];
}

/** Reports a pod as ready, as its kubelet would. Only for pods without a node. */
export async function makeReady(api: Session, name: string, status: object = {}): Promise<void> {
  const since = (await api.get(pods, name).answers(200)).at('metadata.creationTimestamp');
  const conditions = ['Ready', 'ContainersReady'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: since,
  }));
  await api
    .patch(pods, `${name}/status`, 'strategic', { status: { phase: 'Running', conditions, ...status } })
    .answers(200);
}

/** Reports all pods with these labels as ready, once there are this many. */
export async function makeAllReady(api: Session, labelSelector: string, count: number): Promise<void> {
  for (const name of await podsOf(api, labelSelector, count)) await makeReady(api, name);
}

/** Returns the object in a list that matches. @throws Error if none does */
export function findIn({ body }: Answer, expected: object): object {
  const found = itemsOf(body).find((item) => matches(expected, item));
  if (found === undefined) throw new Error(`no item matches ${JSON.stringify(expected)}`);
  return found as object;
}

/** Parts of a node that differ from the defaults of {@link ownNode}. */
interface NodeParts {
  readonly labels?: object;
  readonly taints?: readonly object[];
  readonly unschedulable?: boolean;
  readonly allocatable?: object;
}

/**
 * Makes a node without a kubelet. Only pods of {@link podFor} of this behaviour can be assigned to it: it has a taint
 * and the label `parity`.
 *
 * @returns its name
 */
export async function ownNode(
  api: Session,
  short: string,
  { labels = {}, taints = [], unschedulable = false, allocatable = {} }: NodeParts = {},
): Promise<string> {
  const name = api.unique(short);
  const room = { cpu: '4', memory: '8Gi', pods: '20', ...allocatable };
  await api.made(nodes, {
    ...named(name, { labels: { parity: api.namespace, 'kubernetes.io/hostname': name, ...labels } }),
    spec: {
      unschedulable,
      taints: [{ key: 'parity', value: api.namespace, effect: 'NoSchedule' }, ...taints],
    },
    status: {
      capacity: room,
      allocatable: room,
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
    },
  });
  return name;
}

/** Returns a pod for the nodes of {@link ownNode}. It tolerates that they have no kubelet, and is deleted at once. */
export function podFor(
  api: Session,
  name: string,
  { spec = {}, tolerations = [], ...parts }: PodParts & { readonly tolerations?: readonly object[] } = {},
) {
  const { nodeSelector, ...rest } = spec;
  const tolerated = ['parity', 'node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
  return pod(name, {
    ...parts,
    spec: {
      nodeSelector: { parity: api.namespace, ...nodeSelector },
      tolerations: [...tolerated.map((key) => ({ key, operator: 'Exists' })), ...tolerations],
      terminationGracePeriodSeconds: 0,
      ...rest,
    },
  });
}

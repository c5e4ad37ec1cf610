import type { Taint } from '#api/core/v1';
import type { Node, Pod } from '../../../api/objects.ts';
import { parseQuantity, Quantity } from '../../../api/quantity.ts';
import { leases, pods } from '../../../api/resource.ts';
import { agoAt } from '../../../apiserver/table/ago.ts';
import type { Client } from '../../../contracts/client.ts';
import {
  annotationLines,
  columnLines,
  indented,
  type Lines,
  labelLines,
  longTime,
  NONE,
  UNSET,
} from './text.ts';

const ROLE = 'node-role.kubernetes.io/';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go describeNode */
export async function nodeLines(client: Client, node: Node, nowMs: number): Promise<Lines> {
  const { metadata, spec, status } = node;
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) =>
    key.startsWith(ROLE) && key.length > ROLE.length
      ? [key.slice(ROLE.length)]
      : key === 'kubernetes.io/role'
        ? [value]
        : [],
  );
  const fieldSelector = `spec.nodeName=${metadata.name},status.phase!=Succeeded,status.phase!=Failed`;
  const { items } = await client.list(pods, { fieldSelector });
  return [
    `Name:\t${metadata.name}`,
    `Roles:\t${
      roles
        .filter((role) => role !== '')
        .sort()
        .join(',') || NONE
    }`,
    ...labelLines('Labels', metadata.labels),
    ...annotationLines('Annotations', metadata.annotations),
    `CreationTimestamp:\t${longTime(metadata.creationTimestamp)}`,
    ...taintLines(spec.taints),
    `Unschedulable:\t${spec.unschedulable ?? false}`,
    ...(await leaseLines(client, metadata.name)),
    ...conditionLines(node),
    'Addresses:',
    ...(status.addresses ?? []).map(({ type, address }) => `  ${type}:\t${address}`),
    ...amountLines('Capacity', status.capacity),
    ...amountLines('Allocatable', status.allocatable),
    ...systemLines(node),
    ...(spec.podCIDR ? [`PodCIDR:\t${spec.podCIDR}`] : []),
    ...(spec.podCIDRs?.length ? [`PodCIDRs:\t${spec.podCIDRs.join(',')}`] : []),
    ...(spec.providerID ? [`ProviderID:\t${spec.providerID}`] : []),
    ...podLines(node, items, nowMs),
    ...allocatedLines(node, items),
  ];
}

function taintLines(taints: readonly Taint[] = []): Lines {
  const texts = taints
    .toSorted((a, b) => (`${a.effect},${a.key}` < `${b.effect},${b.key}` ? -1 : 1))
    .map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`);
  return columnLines('Taints', texts);
}

async function leaseLines(client: Client, name: string): Promise<Lines> {
  try {
    const { spec = {} } = await client.get(leases, { namespace: 'kube-node-lease', name });
    const time = (text: string | undefined): string => (text ? longTime(text) : UNSET);
    return [
      'Lease:',
      `  HolderIdentity:\t${spec.holderIdentity ?? UNSET}`,
      `  AcquireTime:\t${time(spec.acquireTime)}`,
      `  RenewTime:\t${time(spec.renewTime)}`,
    ];
  } catch (error) {
    return [`Lease:\tFailed to get lease: ${(error as Error).message}`];
  }
}

function conditionLines({ status: { conditions = [] } }: Node): Lines {
  if (conditions.length === 0) return [];
  const rows = conditions.map(
    ({ type, status, lastHeartbeatTime, lastTransitionTime, reason = '', message = '' }) =>
      [
        `${type} `,
        `${status} `,
        `${longTime(lastHeartbeatTime)} `,
        `${longTime(lastTransitionTime)} `,
        `${reason} `,
        message,
      ].join('\t'),
  );
  const titles = ['Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message'];
  const rules = titles.map((title) => '-'.repeat(title.length));
  return ['Conditions:', ...indented([titles.join('\t'), rules.join('\t'), ...rows])];
}

function amountLines(title: string, amounts: Readonly<Record<string, string>> | undefined): Lines {
  const entries = Object.entries(amounts ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0
    ? []
    : [`${title}:`, ...entries.map(([name, amount]) => `  ${name}:\t${amount}`)];
}

function systemLines({ status: { nodeInfo } }: Node): Lines {
  return [
    'System Info:',
    ...indented([
      `Machine ID:\t${nodeInfo?.machineID ?? ''}`,
      `System UUID:\t${nodeInfo?.systemUUID ?? ''}`,
      `Boot ID:\t${nodeInfo?.bootID ?? ''}`,
      `Kernel Version:\t${nodeInfo?.kernelVersion ?? ''}`,
      `OS Image:\t${nodeInfo?.osImage ?? ''}`,
      `Operating System:\t${nodeInfo?.operatingSystem ?? ''}`,
      `Architecture:\t${nodeInfo?.architecture ?? ''}`,
      `Container Runtime Version:\t${nodeInfo?.containerRuntimeVersion ?? ''}`,
      `Kubelet Version:\t${nodeInfo?.kubeletVersion ?? ''}`,
    ]),
  ];
}

type Amounts = ReadonlyMap<string, Quantity>;

const ZERO = new Quantity(0n, 'DecimalSI');

/**
 * Returns the requests or the limits of a pod. Its containers run together with its sidecars. Each other init container
 * runs together with the sidecars before it. The result is the maximum.
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 resource/helpers.go PodRequests
 */
function amountsOf({ spec }: Pod, list: 'requests' | 'limits'): Amounts {
  const of = (container: {
    readonly resources?: { readonly [list in 'requests' | 'limits']?: Readonly<Record<string, string>> };
  }): Amounts =>
    new Map(
      Object.entries(container.resources?.[list] ?? {}).map(([name, text]) => [name, parseQuantity(text)]),
    );
  let total = sum(spec.containers.map(of));
  let sidecars: Amounts = new Map();
  let steps: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const step = sum([sidecars, of(container)]);
    if (container.restartPolicy === 'Always') sidecars = step;
    steps = greatest(steps, step);
  }
  total = greatest(sum([total, sidecars]), steps);
  return spec.overhead && total.size > 0
    ? sum([total, new Map(Object.entries(spec.overhead).map(([name, text]) => [name, parseQuantity(text)]))])
    : total;
}

function sum(all: readonly Amounts[]): Amounts {
  const total = new Map<string, Quantity>();
  for (const amounts of all) {
    for (const [name, amount] of amounts) total.set(name, total.get(name)?.add(amount) ?? amount);
  }
  return total;
}

function greatest(a: Amounts, b: Amounts): Amounts {
  const all = new Map(a);
  for (const [name, amount] of b) {
    const other = all.get(name);
    if (!other || other.cmp(amount) < 0) all.set(name, amount);
  }
  return all;
}

/** Returns an amount with its share of the node: `100m (5%)`. */
function share(amounts: Amounts, name: string, { status }: Node): string {
  const amount = amounts.get(name) ?? ZERO;
  const whole = parseQuantity(status.allocatable?.[name] ?? status.capacity?.[name] ?? '0');
  const [part, all] =
    name === 'cpu' ? [amount.milliValue(), whole.milliValue()] : [amount.value(), whole.value()];
  return `${amount} (${all === 0 ? 0 : Math.trunc((part / all) * 100)}%)`;
}

function podLines(node: Node, all: readonly Pod[], nowMs: number): Lines {
  const ago = agoAt(nowMs);
  const rows = all.map((pod) => {
    const [requests, limits] = [amountsOf(pod, 'requests'), amountsOf(pod, 'limits')];
    const { namespace, name, creationTimestamp } = pod.metadata;
    const shares = [
      share(requests, 'cpu', node),
      share(limits, 'cpu', node),
      share(requests, 'memory', node),
      share(limits, 'memory', node),
    ];
    return [namespace, name, '', ...shares, ago(creationTimestamp)].join('\t');
  });
  const titles = [
    'Namespace',
    'Name',
    '',
    'CPU Requests',
    'CPU Limits',
    'Memory Requests',
    'Memory Limits',
    'Age',
  ];
  const rules = titles.map((title) => '-'.repeat(title.length));
  return [
    `Non-terminated Pods:\t(${all.length} in total)`,
    ...indented([titles.join('\t'), rules.join('\t'), ...rows]),
  ];
}

const STANDARD = ['cpu', 'memory', 'ephemeral-storage'];

function allocatedLines(node: Node, all: readonly Pod[]): Lines {
  const requests = sum(all.map((pod) => amountsOf(pod, 'requests')));
  const limits = sum(all.map((pod) => amountsOf(pod, 'limits')));
  const { allocatable, capacity = {} } = node.status;
  const others = Object.keys(allocatable ?? capacity).sort();
  const huge = others.filter((name) => name.startsWith('hugepages-'));
  const extended = others.filter(
    (name) => !STANDARD.includes(name) && name !== 'pods' && !huge.includes(name),
  );
  const row = (name: string): string =>
    `${name}\t${share(requests, name, node)}\t${share(limits, name, node)}`;
  return [
    'Allocated resources:',
    '  (Total limits may be over 100 percent, i.e., overcommitted.)',
    ...indented([
      'Resource\tRequests\tLimits',
      '--------\t--------\t------',
      ...STANDARD.map(row),
      ...huge.map(row),
      ...extended.map((name) => `${name}\t${requests.get(name) ?? 0}\t${limits.get(name) ?? 0}`),
    ]),
  ];
}

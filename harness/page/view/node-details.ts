import type { Node } from '../../api/objects.ts';
import { nodes } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type * as cri from '../../contracts/node/cri/index.ts';
import type { MachineEvent } from '../../node/history.ts';
import type { Machine } from '../../node/machine.ts';
import { runTool } from '../../node/network/tools/index.ts';
import type { NodeDetails } from '../protocol/details.ts';
import type { NodeView } from '../protocol/view.ts';
import { filesBelow } from './files-below.ts';
import { stored } from './journal-index.ts';

/** The folder of host-local: one folder a network, one file an address. */
const ALLOCATIONS = '/var/lib/cni/networks';
/** The number of events that are listed at most. */
const HISTORY_MAX = 200;

/** Returns a node from within. Undefined if no node and no machine has this name. */
export async function nodeDetailsOf(
  name: string,
  {
    cluster,
    node,
    zeroMs,
  }: { readonly cluster: Cluster; readonly node: NodeView | undefined; readonly zeroMs: number },
): Promise<NodeDetails | undefined> {
  const machine = cluster.machine(name);
  if (!node) return undefined;
  const { usedBytes = 0, capacityBytes = 0 } = machine?.files.disk ?? {};
  const rest = { kind: 'node', node, disk: { usedBytes, capacityBytes } } as const;
  if (!machine) {
    return {
      ...rest,
      containers: [],
      images: imagesOf(name, cluster),
      routes: [],
      rules: [],
      allocations: [],
      history: [],
    };
  }
  const images = await machine.images.listImages().catch(() => []);
  const names = new Map(images.map(({ id, repoTags }) => [id, repoTags[0] ?? id]));
  return {
    ...rest,
    containers: await containersOf(machine, names),
    images: images.map(({ id, sizeBytes }) => ({ name: names.get(id) ?? id, bytes: sizeBytes })),
    routes: machine.powered ? lines(runTool(machine.network, ['ip', 'route', 'show'])) : [],
    rules: machine.powered ? withoutEmptyChains(lines(runTool(machine.network, ['iptables-save']))) : [],
    allocations: filesBelow(machine.files.disk.root, ALLOCATIONS),
    history: machine.history
      .slice(-HISTORY_MAX)
      .map((event) => ({ atMs: event.atMs - zeroMs, text: sayMachineEvent(event) }))
      .reverse(),
  };
}

/** A node without a machine still reports its images. */
function imagesOf(name: string, cluster: Cluster): NodeDetails['images'] {
  const node = stored<Node>(cluster, nodes).find(({ metadata }) => metadata.name === name);
  return (node?.status.images ?? []).map(({ names, sizeBytes = 0 }) => ({
    name: names?.[0] ?? '',
    bytes: sizeBytes,
  }));
}

/** A stopped runtime lists nothing. @param names the names of images by their ids */
async function containersOf(
  { host }: Machine,
  names: ReadonlyMap<string, string>,
): Promise<NodeDetails['containers']> {
  const all: readonly cri.Container[] = await host.runtime.listContainers().catch(() => []);
  return all.map(({ id, metadata, labels, image, state }) => ({
    id: id.slice(0, 13),
    name: metadata.name,
    pod: `${labels['io.kubernetes.pod.namespace'] ?? ''}/${labels['io.kubernetes.pod.name'] ?? ''}`,
    image: names.get(image.image) ?? image.image,
    state: STATES[state] ?? state,
    attempt: metadata.attempt,
  }));
}

/** As crictl prints them. */
const STATES: Readonly<Record<string, string>> = {
  CONTAINER_CREATED: 'Created',
  CONTAINER_RUNNING: 'Running',
  CONTAINER_EXITED: 'Exited',
  CONTAINER_UNKNOWN: 'Unknown',
};

function lines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter(Boolean);
}

/** Leaves out the declarations of chains without rules, and of tables without any. */
function withoutEmptyChains(saved: readonly string[]): readonly string[] {
  const filled = new Set<string>();
  let table = '';
  for (const line of saved) {
    if (line.startsWith('*')) table = line;
    const [, chain] = /^-A (\S+)/.exec(line) ?? [];
    if (chain !== undefined) filled.add(`${table} ${chain}`).add(table);
  }
  table = '';
  return saved.filter((line) => {
    if (line.startsWith('*')) table = line;
    if (line.startsWith(':')) return filled.has(`${table} ${line.slice(1).split(' ')[0]}`);
    return filled.has(table);
  });
}

/** Describes an event of a machine in one line. */
export function sayMachineEvent(event: MachineEvent): string {
  const { pod, container, attempt = 0, exitCode, image, ip, path } = event;
  const ofPod = pod ? ` of pod ${pod.namespace}/${pod.name}` : '';
  const which = `container ${container}${attempt > 0 ? ` (attempt ${attempt})` : ''}${ofPod}`;
  switch (event.event) {
    case 'powered-on':
      return 'the machine is powered on';
    case 'powered-off':
      return 'the machine is powered off';
    case 'runtime-started':
      return 'the container runtime starts';
    case 'runtime-stopped':
      return 'the container runtime stops';
    case 'sandbox-ready':
      return `the sandbox${ofPod} is ready`;
    case 'sandbox-stopped':
      return `the sandbox${ofPod} has stopped`;
    case 'sandbox-removed':
      return `the sandbox${ofPod} is removed`;
    case 'container-created':
      return `creates ${which}`;
    case 'container-started':
      return `starts ${which}`;
    case 'container-exited':
      return `${which} exits${exitCode === undefined ? '' : ` with ${exitCode}`}`;
    case 'container-removed':
      return `removes ${which}`;
    case 'image-pulled':
      return `has pulled image ${image}`;
    case 'image-removed':
      return `removes image ${image}`;
    case 'address-allocated':
      return `allocates ${ip}${ofPod}`;
    case 'address-released':
      return `releases ${ip}${ofPod}`;
    case 'mounted':
      return `mounts ${path}`;
    case 'unmounted':
      return `unmounts ${path}`;
  }
}

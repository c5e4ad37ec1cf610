import type { Node, Pod } from '../../../api/objects.ts';
import { isReady } from '../../../api/predicates.ts';
import { nodes, pods } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { Machine } from '../../../node/machine.ts';
import * as podNetworkLaws from '../../52-pod-network/laws.ts';
import { Findings } from '../../52-pod-network/oracle/findings.ts';
import { checkConflist, routeObjections, routesOwedTo } from '../../52-pod-network/oracle/routes.ts';
import { strangersOn } from '../../52-pod-network/oracle/state.ts';
import { type Attachment, SimNode } from '../../52-pod-network/simulation/node.ts';
import { podProbes, tryProbe } from '../../52-pod-network/simulation/probes.ts';
import { GOOD_IMAGE } from '../objects.ts';
import { inCluster } from './in-cluster.ts';

const KATA = '52-pod-network';
/** The number of pods on each machine that connect to each other: more would cost too much. */
const PODS_MAX = 3;
/** The first source port of the connections. */
const FIRST_PORT = 20_000;

const KUBELET_PORT = 10_250;

const ONE_CALL = 'a whole cluster is looked at in the end only, not after each call of the plugin';
const ONE_CHANGE = 'a whole cluster is looked at in the end only, not after each change of an agent';

/** The laws of kata 52, for the pod network of a whole cluster at rest. */
export const podNetwork = inCluster({
  kata: KATA,
  of: podNetworkLaws,
  inspect: findingsIn,
  historiesOf: ({ restedMs, inspected }) =>
    restedMs === undefined ? [] : [{ findings: inspected.get(KATA) as Findings }],
  leftOut: {
    hostPort: 'no pod has a port of its node',
    truthful: ONE_CALL,
    succeeds: ONE_CALL,
    undisturbed: ONE_CALL,
    collects: ONE_CALL,
    checks: 'no runtime checks a sandbox',
    constant: ONE_CALL,
    heals: 'no user removes a route or a rule',
    modest: ONE_CHANGE,
    calm: ONE_CHANGE,
    quiet: ONE_CHANGE,
  },
});

/** Looks at the routes and files of each machine, and opens connections between pods, machines and the outside. */
async function findingsIn(cluster: Cluster): Promise<Findings> {
  const findings = new Findings(() => cluster.sim.elapsedMs);
  const known = cluster.storage.list(nodes) as Node[];
  const all = cluster.machines.flatMap((machine) => {
    const node = known.find(({ metadata }) => metadata.name === machine.node);
    return node && machine.powered ? [simNodeOf(machine, node)] : [];
  });
  for (const node of all) {
    if (routesOwedTo(node, known).size > 0) findings.meet('routed');
    for (const objection of routeObjections(node, known)) findings.break('routed', objection);
    await checkConflist(node, findings);
    findings.meet('leavesNothing');
    for (const stranger of await strangersOn(node, node.attachments))
      findings.break('leavesNothing', `${node.name} is at rest, but there is still ${stranger}`);
  }
  for (const node of all) node.attachments.splice(0, Infinity, ...serversOn(node, cluster));
  const outside = cluster.network.outside('laptop').namespace;
  // The simulated kubelet serves its port without a socket.
  for (const { machine } of all) machine.host.sockets.listen({ protocol: 'tcp', port: KUBELET_PORT }, {});
  for (const [i, probe] of podProbes(all, outside).entries()) {
    findings.meet(probe.law);
    const failure = tryProbe(probe, FIRST_PORT + i);
    if (failure) findings.break(failure.law, failure.message);
  }
  return findings;
}

function simNodeOf(machine: Machine, { metadata, spec, status }: Node): SimNode {
  const { network, files } = machine;
  const node = new SimNode({
    name: metadata.name,
    address: status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '',
    podCIDR: spec.podCIDR ?? '',
    machine: network,
    bridgeName: 'cni0',
    files,
  });
  node.attachments.push(...attachmentsOn(machine));
  return node;
}

/** Returns the pods with an address on a machine. */
function attachmentsOn({ history, network }: Machine): readonly Attachment[] {
  const held = new Map<string, { readonly pod: string; readonly sandboxId: string }>();
  for (const { event, ip = '', pod, sandboxId } of history) {
    if (event === 'powered-off') held.clear();
    if (event === 'address-allocated' && pod && sandboxId) held.set(ip, { pod: pod.name, sandboxId });
    if (event === 'address-released') held.delete(ip);
  }
  return [...network.named].flatMap(([name, namespace], index): readonly Attachment[] => {
    const address = namespace.links.get('eth0')?.addresses[0]?.ip.text;
    const { pod, sandboxId } = held.get(address ?? '') ?? {};
    if (pod === undefined || sandboxId === undefined) return [];
    return [
      {
        pod,
        index,
        attachment: {
          containerID: sandboxId,
          ifname: 'eth0',
          netns: `/var/run/netns/${name}`,
          args: {},
        },
        namespace,
        hostPort: undefined,
        state: 'there',
        befell: [],
        result: { cniVersion: '1.1.0', interfaces: [], ips: [{ address: `${address}/24` }], routes: [] },
      },
    ];
  });
}

/** Returns some of the pods on a node that listen. */
function serversOn({ attachments }: SimNode, { storage }: Cluster): readonly Attachment[] {
  const all = storage.list(pods) as Pod[];
  const serves = ({ pod }: Attachment): boolean =>
    all.some(
      (each) => each.metadata.name === pod && isReady(each) && each.spec.containers[0]?.image === GOOD_IMAGE,
    );
  return attachments.filter(serves).slice(0, PODS_MAX);
}

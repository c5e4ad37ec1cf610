import { components } from '#components';
import type { NodeComponentContext } from '#harness';
import { type Node, nodes } from '#harness';
import { type Cluster, createCluster, type Process, throughLine } from '#harness/testing';
import { routeController } from '#kata/52-pod-network/pod-network';
import { newMachine, type TestMachine } from './machine.fixture.ts';

/** Creates a node; by default, `node-2` has the address 192.168.0.2 and the podCIDR 10.244.2.0/24. */
export function nodeOf(
  number: number,
  options: { readonly podCIDR?: string | undefined; readonly address?: string | undefined } = {},
): Node {
  const { podCIDR, address } = {
    podCIDR: `10.244.${number}.0/24`,
    address: `192.168.0.${number}`,
    ...options,
  };
  return {
    metadata: { name: `node-${number}` },
    spec: podCIDR === undefined ? {} : { podCIDR, podCIDRs: [podCIDR] },
    status: { addresses: address === undefined ? [] : [{ type: 'InternalIP', address }] },
  } as Node;
}

/** Creates the machine of node-1, with its network card. */
export function machineOn(): TestMachine {
  return newMachine(
    'ip link add eth0 type bridge',
    'ip addr add 192.168.0.1/24 dev eth0',
    'ip link set eth0 up',
  );
}

/** Creates an in-memory disk. */
export function fakeFiles() {
  const written = new Map<string, string>();
  return {
    written,
    /** Returns the subnet in the network configuration, if that exists. */
    subnet: () => /"subnet": "([^"]+)"/.exec(written.get('/etc/cni/net.d/10-flannel.conflist') ?? '')?.[1],
    files: {
      mkdirAll: async () => {},
      readFile: async (path: string) => {
        const text = written.get(path);
        if (text === undefined) throw new Error(`ENOENT: ${path}`);
        return text;
      },
      writeFile: async (path: string, text: string) => void written.set(path, text),
      rename: async (from: string, to: string) => {
        written.set(to, written.get(from) ?? '');
        written.delete(from);
      },
    } as unknown as NodeComponentContext['host']['files'],
  };
}

/** Creates a cluster whose nodes exist only in the API, and the agent of node-1 on a machine. */
export async function agentOn(machine: TestMachine): Promise<
  Cluster & {
    readonly agent: Process;
    readonly subnet: () => string | undefined;
    readonly register: (node: Node) => Promise<void>;
  }
> {
  const cluster = await createCluster({ seed: 52, components });
  const { files, subnet } = fakeFiles();
  const register = async (node: Node): Promise<void> => {
    const created = await cluster.admin.create(nodes, node);
    await cluster.admin.updateStatus(nodes, { ...created, status: node.status });
  };
  const agent = cluster.run('kube-flannel-node-1', (context) => {
    const tools = throughLine(machine.tools, context.line, { port: 'net' });
    const host = { ip: '192.168.0.1', tools, files } as unknown as NodeComponentContext['host'];
    return routeController({ ...context, node: 'node-1', host } as unknown as NodeComponentContext);
  });
  return Object.assign(cluster, { agent, subnet, register });
}

import type { CniPlugin } from '../../../contracts/node/cni-plugin.ts';
import type { CniAttachment } from '../../../contracts/node/network-plugin.ts';
import { Libcni } from '../../../node/cni/libcni.ts';
import { createMachineFiles } from '../../../node/files/index.ts';
import { Simulation } from '../../../sim/index.ts';

/** The container runtime of a node whose network has only addresses. */
export interface NodeNetworkOnTrial {
  /**
   * @returns the address
   * @throws CniError as libcni does
   */
  add(pod: string): Promise<string>;
  /** Runs all ADDs at the same time. */
  addAll(pods: readonly string[]): Promise<readonly string[]>;
  del(pod: string): Promise<void>;
  /** @param valid - the existing pods */
  gc(valid: readonly string[]): Promise<void>;
  powerLoss(): void;
}

/**
 * Creates a node whose runtime calls `plugin` through libcni, as containerd does. The network is 10.1.2.0/29: five
 * addresses.
 */
export function networkOfNode(plugin: CniPlugin, { seed }: { readonly seed: number }): NodeNetworkOnTrial {
  const sim = new Simulation({ seed });
  const files = createMachineFiles({ journal: true });
  const libcni = new Libcni({
    files: files.forProcess(),
    exec: async (_, io) => {
      const own = files.forProcess(() => sim.turn(1 + sim.random.int(3), 'plugin', 'call'));
      const none = () => Promise.reject(new Error('Failed to run a program: an address needs none.'));
      const { clock, random } = sim;
      const exit = await plugin({ ...io, files: own, tools: { run: none }, clock, random, run: none });
      own.exit();
      return exit;
    },
  });
  const list = {
    cniVersion: '1.1.0',
    name: 'cbr0',
    plugins: [{ type: 'host-local', ipam: { type: 'host-local', subnet: '10.1.2.0/29' } }],
  };
  const attachment = (pod: string): CniAttachment => ({
    containerID: pod,
    netns: `/var/run/netns/${pod}`,
    ifname: 'eth0',
    args: { K8S_POD_NAME: pod },
  });
  const add = async (pod: string): Promise<string> => {
    const { ips } = await libcni.addNetworkList(list, attachment(pod));
    return ips[0]?.address ?? '';
  };
  return {
    add: (pod) => sim.settle(add(pod)),
    addAll: (pods) => sim.settle(Promise.all(pods.map(add))),
    del: (pod) => sim.settle(libcni.delNetworkList(list, attachment(pod))),
    gc: (valid) => sim.settle(libcni.gcNetworkList(list, valid.map(attachment))),
    powerLoss: () => files.powerLoss({ random: sim.random }),
  };
}

import {
  type CniAttachment,
  CniError,
  type CniResult,
  type NetworkPlugin,
} from '../../contracts/node/network-plugin.ts';
import type { Kernel } from './kernel.ts';

/** What a scripted network plugin needs. */
export interface ScriptedPluginOptions {
  readonly kernel: Kernel;
  /** The node's own range, a /24: `10.244.1.0/24`. */
  readonly podCIDR: string;
  /** The node's address: its ports may lead to pods. */
  readonly hostIP: string;
}

/** In a /24: after the network's own address and the gateway's, before the broadcast's. */
const FIRST_HOST = 2;
const LAST_HOST = 254;

/**
 * A network plugin that only gives out addresses, round robin like host-local, so that one that was just released is not given
 * out again at once. What it gave out survives the machine's death, as host-local's files do: only {@link NetworkPlugin.del}
 * releases an address.
 *
 * Differs: no bridge and no routes; the network of the cluster finds each address by itself.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local, plugins/meta/portmap
 */
export function scriptedPlugin({ kernel, podCIDR, hostIP }: ScriptedPluginOptions): NetworkPlugin {
  const prefix = podCIDR.slice(0, podCIDR.lastIndexOf('.') + 1);
  const held = new Map<string, string>();
  let last = FIRST_HOST - 1;

  const next = (): string | undefined => {
    const taken = new Set(held.values());
    for (let i = 0; i <= LAST_HOST - FIRST_HOST; i++) {
      const host = ((last - FIRST_HOST + 1 + i) % (LAST_HOST - FIRST_HOST + 1)) + FIRST_HOST;
      if (taken.has(`${prefix}${host}`)) continue;
      last = host;
      return `${prefix}${host}`;
    }
    return undefined;
  };

  return {
    async add(attachment) {
      const key = keyOf(attachment);
      if (held.has(key)) {
        const { containerID } = attachment;
        throw failed('add', `IP has been allocated to ${containerID}, duplicate allocation is not allowed`);
      }
      const ip = next();
      if (ip === undefined) {
        const range = `${prefix}1-${prefix}${LAST_HOST}`;
        throw failed(
          'add',
          `failed to allocate for range 0: no IP addresses available in range set: ${range}`,
        );
      }
      kernel.addAddress(attachment.netns, ip);
      held.set(key, ip);
      for (const { hostPort, containerPort } of attachment.runtimeConfig?.portMappings ?? []) {
        kernel.forward({ ip: hostIP, port: hostPort }, { ip, port: containerPort });
      }
      return resultOf(attachment, ip, `${prefix}1`);
    },

    async del(attachment) {
      const key = keyOf(attachment);
      const ip = held.get(key);
      if (ip === undefined) return;
      held.delete(key);
      kernel.removeAddress(ip);
    },

    async check(attachment) {
      if (!held.has(keyOf(attachment))) {
        throw failed(
          'check',
          `host-local: Failed to find address added by container ${attachment.containerID}`,
        );
      }
    },
  };
}

function keyOf({ containerID, ifname }: CniAttachment): string {
  return `${containerID}/${ifname}`;
}

/** Upstream: containernetworking/cni@v1.3.0 libcni/api.go pluginDescription */
function failed(verb: string, message: string): CniError {
  return new CniError(999, `plugin type="bridge" name="cbr0" failed (${verb}): ${message}`);
}

function resultOf({ ifname, netns }: CniAttachment, ip: string, gateway: string): CniResult {
  return {
    cniVersion: '1.1.0',
    interfaces: [{ name: 'cni0' }, { name: ifname, sandbox: netns }],
    ips: [{ address: `${ip}/24`, gateway, interface: 1 }],
    routes: [{ dst: '0.0.0.0/0', gw: gateway }],
  };
}

import type { CniAttachment } from '../../contracts/node/network-plugin.ts';
import type { MachineNetwork } from '../network/stack/machine-network.ts';
import type { NetworkNamespace } from '../network/stack/namespace.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * Returns the network attachment of a sandbox for network plugins.
 *
 * @param netns - the path of its namespace; empty if the namespace does not exist any more
 *
 * Upstream: containerd/containerd@v2.3.3 internal/cri/server/sandbox_run.go cniNamespaceOpts
 */
export function attachmentOf({ id, config }: Sandbox, netns: string): CniAttachment {
  const { namespace, name, uid } = config.metadata;
  const { portMappings = [] } = config;
  return {
    containerID: id,
    netns,
    ifname: 'eth0',
    args: {
      IgnoreUnknown: '1',
      K8S_POD_NAMESPACE: namespace,
      K8S_POD_NAME: name,
      K8S_POD_INFRA_CONTAINER_ID: id,
      K8S_POD_UID: uid,
    },
    runtimeConfig: {
      portMappings: portMappings
        .filter(({ hostPort }) => hostPort > 0)
        .map(({ protocol, ...rest }) => ({ ...rest, protocol: protocol.toLowerCase() })),
    },
  };
}

const DIRECTORY = '/var/run/netns/';

/**
 * Returns the path of a sandbox's namespace. Differs: containerd builds the path from random bytes, not from the
 * sandbox's id, and a file exists there.
 *
 * Upstream: containerd/containerd@v2.3.3 pkg/netns/netns_linux.go newNS
 */
export function netnsOf({ id }: Sandbox): string {
  const [, ...parts] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(id) as RegExpExecArray;
  return `${DIRECTORY}cni-${parts.join('-')}`;
}

/**
 * Creates the namespace of a sandbox. Its only interface is `lo`, which is up, as the plugin `loopback` leaves it.
 *
 * Upstream: containerd/containerd@v2.3.3 internal/cri/server/service_linux.go initPlatform, use_internal_loopback
 */
export function addNamespace(network: MachineNetwork, sandbox: Sandbox): NetworkNamespace {
  const namespace = network.add(netnsOf(sandbox).slice(DIRECTORY.length));
  namespace.label = sandbox.config.metadata.name;
  for (const link of namespace.links.values()) link.up = true;
  return namespace;
}

/** Returns the namespace at a path; undefined if it does not exist. */
export function namespaceAt(network: MachineNetwork, netns: string): NetworkNamespace | undefined {
  return network.named.get(netns.slice(DIRECTORY.length));
}

/** Removes a namespace; succeeds if it does not exist. */
export function removeNamespace(network: MachineNetwork, netns: string): void {
  if (namespaceAt(network, netns)) network.remove(netns.slice(DIRECTORY.length));
}

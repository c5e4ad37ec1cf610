import type { CniAttachment } from '../../contracts/node/network-plugin.ts';
import type { Sandbox } from './sandbox.ts';

/** Where runtimes look for a network. Upstream: containernetworking/cni@v1.3.0 libcni/api.go ConfFiles */
export const NETWORK_CONFIGURATION = '/etc/cni/net.d';

/**
 * The interface that a sandbox has, or is to have, as network plugins are told of it.
 *
 * @param netns the path of its namespace; empty when that is gone
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

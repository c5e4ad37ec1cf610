import type { CniPlugin } from '../../contracts/node/index.ts';

/**
 * Answers STATUS for an address plugin that does not implement it: addresses are available. Without an answer the container
 * runtime reports the network as not ready, and no pod starts.
 *
 * Upstream: containernetworking/cni@v1.3.0 pkg/skel/skel.go dispatcher.pluginMain, where a plugin without STATUS succeeds
 *
 * @param onStandIn called at each STATUS
 */
export function withStatusStandIn(plugin: CniPlugin, onStandIn: () => void): CniPlugin {
  return async (process) => {
    if (process.env.CNI_COMMAND !== 'STATUS') return plugin(process);
    onStandIn();
    return { code: 0, stdout: '', stderr: '' };
  };
}

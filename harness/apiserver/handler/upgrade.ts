import { resources as allResources } from '../../api/resource.ts';
import type { Client } from '../../contracts/client.ts';
import type { Peer, Upgrade, UpgradeHandler } from '../../sim/index.ts';
import { asksForWebSocket } from './bearer-protocol.ts';
import { admitStreams } from './connect.ts';
import type { Kubelets } from './endpoint.ts';
import type { Guard } from './guard.ts';
import type { PodCall } from './pod-target.ts';
import { requestInfo } from './request-info.ts';
import { respondError } from './respond.ts';
import { route } from './route.ts';
import { attach, exec } from './upgrade-command.ts';
import { portForward } from './upgrade-port-forward.ts';
import { upgradeWatch } from './upgrade-watch.ts';

interface UpgradeOptions {
  readonly kubelets: Kubelets;
  /** Serves a watch that is upgraded. */
  readonly watch: (request: Request, peer?: Peer) => Promise<Response>;
  /** Admits each request, and chooses its client. @defaultValue the client carries out every request */
  readonly guard?: Guard | undefined;
}

/** Upgrades a connection. @returns the protocol and its server, or an error response */
type Upgrading = (call: PodCall, headers: Headers) => Promise<Upgrade | Response>;

const upgrades: ReadonlyMap<string, Upgrading> = new Map([
  ['exec', exec],
  ['attach', attach],
  ['portforward', portForward],
]);

/**
 * Serves `kubectl exec`, `attach` and `port-forward`. These requests upgrade their connection to a WebSocket, or to
 * SPDY, its predecessor. A watch can also use a WebSocket. Any other request upgrades nothing.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/rest/subresources.go ExecREST, AttachREST, PortForwardREST
 *
 * Differs: a log is not sent over a WebSocket.
 */
export function createUpgradeHandler(
  client: Client,
  { kubelets, watch, guard }: UpgradeOptions,
): UpgradeHandler {
  return async (request, peer) => {
    try {
      const url = new URL(request.url);
      const info = requestInfo(request.method, url);
      if (info.verb === 'watch' && info.isResourceRequest && asksForWebSocket(request.headers)) {
        return await upgradeWatch(request, (asked) => watch(asked, peer));
      }
      const upgrade = upgrades.get(info.subresource);
      if (!upgrade) return undefined;
      const admitted = guard?.admit(request, info, peer) ?? { client };
      if (admitted instanceof Response) return admitted;
      const { resource } = route(info, allResources);
      const { namespace, name } = info;
      const call = { client: admitted.client, query: url.searchParams, resource, namespace, name, kubelets };
      return await upgrade(await admitStreams(call, info.subresource), request.headers);
    } catch (error) {
      return respondError(error, request);
    }
  };
}

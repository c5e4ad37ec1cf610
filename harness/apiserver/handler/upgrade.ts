import { resources as allResources } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Client } from '../../contracts/client.ts';
import type { Upgrade, UpgradeHandler } from '../../sim/index.ts';
import type { Kubelets } from './endpoint.ts';
import type { PodCall } from './pod-target.ts';
import { requestInfo } from './request-info.ts';
import { respondError } from './respond.ts';
import type { Target } from './route.ts';
import { route } from './route.ts';
import { attach, exec } from './upgrade-command.ts';
import { portForward } from './upgrade-port-forward.ts';

interface UpgradeOptions {
  readonly kubelets: Kubelets;
}

/** Upgrades a connection. @returns the protocol and its server, or an error response */
type Upgrading = (call: PodCall, headers: Headers) => Promise<Upgrade | Response>;

const upgrades: Partial<Record<Target, Upgrading>> = { exec, attach, portforward: portForward };

/**
 * Serves `kubectl exec`, `attach` and `port-forward`. These requests upgrade their connection to a WebSocket, or to
 * SPDY, its predecessor.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/rest/subresources.go ExecREST, AttachREST, PortForwardREST
 */
export function createUpgradeHandler(client: Client, { kubelets }: UpgradeOptions): UpgradeHandler {
  return async (request) => {
    try {
      const url = new URL(request.url);
      const info = requestInfo(request.method, url);
      const { resource, target } = route(info, allResources);
      const upgrade = upgrades[target];
      if (!upgrade) throw errors.badRequest(`${info.path} takes no upgrade`);
      const { namespace, name } = info;
      const call = { client, query: url.searchParams, resource, namespace, name, kubelets };
      return await upgrade(call, request.headers);
    } catch (error) {
      return respondError(error, request);
    }
  };
}

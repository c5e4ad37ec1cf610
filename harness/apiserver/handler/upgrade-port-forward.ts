import { errors } from '../../api/status.ts';
import { KubeletError } from '../../contracts/node/kubelet-server.ts';
import { PORT_FORWARD_PROTOCOL } from '../../contracts/node/streaming-service.ts';
import type { Upgrade } from '../../sim/index.ts';
import { offeredProtocols } from './offered-protocols.ts';
import { type PodCall, podOnNode } from './pod-target.ts';

/** Says that a WebSocket carries SPDY. Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/portforward/constants.go WebsocketsSPDYTunnelingPrefix */
const TUNNEL = 'SPDY/3.1+';

/** What the protocols end with that may be spoken through it. Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/portforward/constants.go KubernetesSuffix */
const SUFFIX = '.k8s.io';

/**
 * Upgrades a connection for `kubectl port-forward`: the WebSocket is a tunnel, and what is in it the runtime of the node understands.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/util/proxy/streamtunnel.go TunnelingHandler
 *
 * Differs: the protocol `v4.channel.k8s.io`, with a channel for each port, is refused.
 *
 * @returns what the kubelet refuses, in its words
 * @throws StatusError
 */
export async function portForward(call: PodCall, headers: Headers): Promise<Upgrade | Response> {
  const { pod, kubelet } = await podOnNode(call);
  if (!kubelet) throw errors.badRequest(`pod ${call.name} does not have a host assigned`);
  try {
    const servePorts = await kubelet.portForward(pod);
    const offered = offeredProtocols(
      headers,
      'kubectl 1.31 or newer, or KUBECTL_PORT_FORWARD_WEBSOCKETS=true with 1.30',
    );
    const tunnelled = offered.filter((each) => each.startsWith(TUNNEL) && each.endsWith(SUFFIX));
    if (tunnelled.length === 0) {
      return refusal(400, 'unable to upgrade: no tunneling spdy protocols provided');
    }
    const protocol = tunnelled.find((each) => each === `${TUNNEL}${PORT_FORWARD_PROTOCOL}`);
    if (protocol) return { protocol, serve: (socket) => void servePorts(socket) };
    const asked = tunnelled.map((each) => each.slice(TUNNEL.length)).join(' ');
    const why = `client supports [${asked}], server accepts [${PORT_FORWARD_PROTOCOL}]`;
    return refusal(403, `unable to upgrade: unable to negotiate protocol: ${why}`);
  } catch (error) {
    if (error instanceof KubeletError) return refusal(error.code, error.message);
    throw error;
  }
}

function refusal(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}

import { errors } from '../../api/status.ts';
import { KubeletError } from '../../contracts/node/kubelet-server.ts';
import { PORT_FORWARD_PROTOCOL } from '../../contracts/node/streaming-service.ts';
import type { MessageSocket, Upgrade } from '../../sim/index.ts';
import { type PodCall, podOnNode } from './pod-target.ts';
import {
  asksForSpdy,
  protocolRefusal,
  spdyHeaders,
  spdyProtocols,
  textRefusal,
  webSocketProtocols,
} from './spdy-handshake.ts';

/** Says that a WebSocket carries SPDY. Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/portforward/constants.go WebsocketsSPDYTunnelingPrefix */
const TUNNEL = 'SPDY/3.1+';

/** What the protocols end with that may be spoken through it. Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/portforward/constants.go KubernetesSuffix */
const SUFFIX = '.k8s.io';

/**
 * Upgrades a connection for `kubectl port-forward`. It carries SPDY, which the runtime of the node understands: by itself, or in a
 * WebSocket that is a tunnel for it.
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
    const serve = (socket: MessageSocket) => void servePorts(socket);
    if (asksForSpdy(headers)) {
      const refusal = protocolRefusal(spdyProtocols(headers), PORT_FORWARD_PROTOCOL);
      return refusal ?? { headers: spdyHeaders(PORT_FORWARD_PROTOCOL), serve };
    }
    const tunnelled = webSocketProtocols(headers)
      .filter((each) => each.startsWith(TUNNEL) && each.endsWith(SUFFIX))
      .map((each) => each.slice(TUNNEL.length));
    if (tunnelled.length === 0) {
      return textRefusal(400, 'unable to upgrade: no tunneling spdy protocols provided');
    }
    const refusal = protocolRefusal(tunnelled, PORT_FORWARD_PROTOCOL);
    return refusal ?? { protocol: `${TUNNEL}${PORT_FORWARD_PROTOCOL}`, serve };
  } catch (error) {
    if (error instanceof KubeletError) return textRefusal(error.code, error.message);
    throw error;
  }
}

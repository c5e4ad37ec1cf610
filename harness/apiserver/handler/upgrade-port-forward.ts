import { quote } from '../../api/names.ts';
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

/**
 * The protocol prefix of a WebSocket that carries SPDY.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/portforward/constants.go WebsocketsSPDYTunnelingPrefix
 */
const TUNNEL = 'SPDY/3.1+';

/**
 * The suffix of the protocols that such a tunnel can carry.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/portforward/constants.go KubernetesSuffix
 */
const SUFFIX = '.k8s.io';

/** The WebSocket protocol with channels for ports named in the URL. Clients in languages other than Go use it. */
const CHANNELS = 'v4.channel.k8s.io';

/**
 * Upgrades a connection for `kubectl port-forward`. It carries SPDY, which the node's runtime understands, either
 * directly or tunnelled in a WebSocket. Or it is a WebSocket with channels, for clients without SPDY.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/util/proxy/streamtunnel.go TunnelingHandler;
 * kubernetes/cri-streaming@v0.36.3 pkg/streaming/portforward/portforward.go ServePortForward
 *
 * Differs: the protocol `v4.base64.channel.k8s.io` is refused.
 *
 * @returns the error of the kubelet, in its words
 * @throws StatusError
 */
export async function portForward(call: PodCall, headers: Headers): Promise<Upgrade | Response> {
  const asked = portsOf(call.query);
  const { pod, kubelet } = await podOnNode(call);
  if (!kubelet) throw errors.badRequest(`pod ${call.name} does not have a host assigned`);
  try {
    const ports = await kubelet.portForward(pod);
    const serve = (socket: MessageSocket) => void ports.spdy(socket);
    if (asksForSpdy(headers)) {
      const refusal = protocolRefusal(spdyProtocols(headers), PORT_FORWARD_PROTOCOL);
      return refusal ?? { headers: spdyHeaders(PORT_FORWARD_PROTOCOL), serve };
    }
    const offered = webSocketProtocols(headers);
    const tunnelled = offered
      .filter((each) => each.startsWith(TUNNEL) && each.endsWith(SUFFIX))
      .map((each) => each.slice(TUNNEL.length));
    if (tunnelled.length === 0) {
      const why = portsRefusal(asked);
      if (why !== undefined) return textRefusal(400, why);
      const protocol = offered.length === 0 ? '' : CHANNELS;
      if (protocol && !offered.includes(protocol)) return new Response(null, { status: 403 });
      return { protocol, serve: (socket) => void ports.channels(socket, asked) };
    }
    const refusal = protocolRefusal(tunnelled, PORT_FORWARD_PROTOCOL);
    return refusal ?? { protocol: `${TUNNEL}${PORT_FORWARD_PROTOCOL}`, serve };
  } catch (error) {
    if (error instanceof KubeletError) return textRefusal(error.code, error.message);
    throw error;
  }
}

/**
 * Parses `?ports=`, which can be repeated or contain a list with commas.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/conversion.go Convert_Slice_string_To_Slice_int32
 *
 * @throws StatusError BadRequest when a port is invalid
 */
export function portsOf(query: URLSearchParams): readonly number[] {
  return query
    .getAll('ports')
    .flatMap((text) => text.split(','))
    .map((text) => {
      const port = Number(text);
      const why = !/^\d+$/.test(text) ? 'invalid syntax' : port > 65_535 ? 'value out of range' : undefined;
      if (why === undefined) return port;
      throw errors.badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${quote(text)}: ${why}`);
    });
}

/**
 * Returns the reason why these ports cannot have channels.
 *
 * Upstream: kubernetes/cri-streaming@v0.36.3 pkg/streaming/portforward/websocket.go NewV4Options
 */
function portsRefusal(ports: readonly number[]): string | undefined {
  if (ports.length === 0) return 'query parameter "port" is required';
  return ports.includes(0) ? `port ${quote(ports.join(','))} must be > 0` : undefined;
}

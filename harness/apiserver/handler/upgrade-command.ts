import { errors } from '../../api/status.ts';
import type { ContainerOf, KubeletServer } from '../../contracts/node/kubelet-server.ts';
import type { CommandStreams, Streams, StreamsWanted } from '../../contracts/node/streaming-service.ts';
import type { MessageSocket, Upgrade } from '../../sim/index.ts';
import { CHANNEL_PROTOCOLS, channelStreams } from './channels.ts';
import { booleanParameter } from './parameters.ts';
import { type PodCall, passedOn, podTarget } from './pod-target.ts';
import { statusOf } from './respond.ts';
import {
  asksForSpdy,
  protocolRefusal,
  spdyHeaders,
  spdyProtocols,
  webSocketProtocols,
} from './spdy-handshake.ts';

/**
 * The protocol for commands over SPDY.
 *
 * Upstream: kubernetes/cri-streaming@v0.36.3 pkg/streaming/remotecommand/constants.go StreamProtocolV4Name
 */
const SPDY_PROTOCOL = 'v4.channel.k8s.io';

/** A container and the kubelet that runs it. */
type RunningOn = ContainerOf & { readonly kubelet: KubeletServer };

/**
 * The outcome of a command, which the client receives as a Status.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go Status
 */
interface Outcome {
  readonly status: 'Success' | 'Failure';
  /** `NonZeroExitCode`, or a reason of the API. */
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes: readonly { readonly reason: string; readonly message: string }[] };
  readonly code?: number;
}

/** Upgrades a connection for `kubectl exec`. @throws StatusError */
export function exec(call: PodCall, headers: Headers): Promise<Upgrade | Response> {
  return upgrade(call, headers, async ({ kubelet, ...of }, streams) => {
    const code = await kubelet.exec(of, call.query.getAll('command'), streams);
    return code === 0 ? { status: 'Success' } : exited(code);
  });
}

/** Upgrades a connection for `kubectl attach`. @throws StatusError */
export function attach(call: PodCall, headers: Headers): Promise<Upgrade | Response> {
  return upgrade(call, headers, async ({ kubelet, ...of }, streams) => {
    await kubelet.attach(of, streams);
    return { status: 'Success' };
  });
}

async function upgrade(
  call: PodCall,
  headers: Headers,
  run: (target: RunningOn, streams: Streams) => Promise<Outcome>,
): Promise<Upgrade | Response> {
  const { kubelet, ...of } = await podTarget(call);
  if (!kubelet) throw errors.badRequest(`pod ${call.name} does not have a host assigned`);
  const wanted = streamsWanted(call.query);
  const talk = async (opened: CommandStreams | undefined): Promise<void> => {
    if (!opened) return;
    const outcome = await run({ kubelet, ...of }, opened.streams).catch(failed);
    await opened.end(JSON.stringify({ metadata: {}, ...outcome }));
  };
  if (asksForSpdy(headers)) {
    const refusal = protocolRefusal(spdyProtocols(headers), SPDY_PROTOCOL);
    if (refusal) return refusal;
    const serve = (socket: MessageSocket) => void kubelet.openStreams(socket, wanted).then(talk);
    return { headers: spdyHeaders(SPDY_PROTOCOL), serve };
  }
  return {
    protocol: channelProtocol(headers),
    serve: (socket) => void talk(channelStreams(socket, wanted)),
  };
}

/** Returns the streams that a request asks for. */
export function streamsWanted(query: URLSearchParams): StreamsWanted {
  const wants = (name: string): boolean => booleanParameter(query, name);
  return { stdin: wants('stdin'), stdout: wants('stdout'), stderr: wants('stderr'), tty: wants('tty') };
}

/** @throws StatusError BadRequest when the client offers no supported protocol */
function channelProtocol(headers: Headers): string {
  const offered = webSocketProtocols(headers);
  const protocol = CHANNEL_PROTOCOLS.find((each) => offered.includes(each));
  if (protocol) return protocol;
  throw errors.badRequest(
    `unable to upgrade: none of ${CHANNEL_PROTOCOLS.join(', ')} is among the protocols offered`,
  );
}

/** Upstream: kubernetes/cri-streaming@v0.36.3 pkg/streaming/remotecommand/exec.go ServeExec */
function exited(code: number): Outcome {
  return {
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

function failed(error: unknown): Outcome {
  const { status, message, reason, code } = statusOf(passedOn(error));
  return { status, message, reason, code };
}

import { errors } from '../../api/status.ts';
import type { Streams } from '../../contracts/node/streaming-service.ts';
import type { MessageSocket, Upgrade } from '../../sim/index.ts';
import { CHANNEL_PROTOCOLS, Channels, type Outcome } from './channels.ts';
import { offeredProtocols } from './offered-protocols.ts';
import { type PodCall, type PodTarget, passedOn, podTarget } from './pod-target.ts';
import { booleanParameter } from './request-info.ts';
import { statusOf } from './respond.ts';

/** Upgrades a connection for `kubectl exec`. @throws StatusError */
export function exec(call: PodCall, headers: Headers): Promise<Upgrade> {
  return upgrade(call, headers, async ({ kubelet, ...of }, streams) => {
    const code = (await kubelet?.exec(of, call.query.getAll('command'), streams)) ?? 0;
    return code === 0 ? { status: 'Success' } : exited(code);
  });
}

/** Upgrades a connection for `kubectl attach`. @throws StatusError */
export function attach(call: PodCall, headers: Headers): Promise<Upgrade> {
  return upgrade(call, headers, async ({ kubelet, ...of }, streams) => {
    await kubelet?.attach(of, streams);
    return { status: 'Success' };
  });
}

async function upgrade(
  call: PodCall,
  headers: Headers,
  run: (target: PodTarget, streams: Streams) => Promise<Outcome>,
): Promise<Upgrade> {
  const target = await podTarget(call);
  if (!target.kubelet) throw errors.badRequest(`pod ${call.name} does not have a host assigned`);
  const protocol = protocolFor(headers);
  return {
    protocol,
    serve: (socket) => void serve(socket, call.query, (streams) => run(target, streams)),
  };
}

/** @throws StatusError BadRequest when the client speaks none of ours */
function protocolFor(headers: Headers): string {
  const offered = offeredProtocols(
    headers,
    'kubectl 1.30 or newer, or KUBECTL_REMOTE_COMMAND_WEBSOCKETS=true with 1.29',
  );
  const protocol = CHANNEL_PROTOCOLS.find((each) => offered.includes(each));
  if (protocol) return protocol;
  throw errors.badRequest(
    `unable to upgrade: none of ${CHANNEL_PROTOCOLS.join(', ')} is among the protocols offered`,
  );
}

/** Lets a command talk over a socket, and says how it ended. */
async function serve(
  socket: MessageSocket,
  query: URLSearchParams,
  run: (streams: Streams) => Promise<Outcome>,
): Promise<void> {
  const channels = new Channels(socket);
  const wants = (name: string): boolean => booleanParameter(query, name);
  const silent = (): void => {};
  const streams: Streams = {
    ...(wants('stdin') ? { stdin: channels.stdin() } : {}),
    stdout: wants('stdout') ? (text) => channels.stdout(text) : silent,
    stderr: wants('stderr') ? (text) => channels.stderr(text) : silent,
    tty: wants('tty'),
    signal: channels.signal,
  };
  channels.end(await run(streams).catch(failed));
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

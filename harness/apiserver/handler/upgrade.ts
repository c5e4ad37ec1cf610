import { resources as allResources } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Client } from '../../contracts/client.ts';
import type { Streams } from '../../contracts/node/streaming-service.ts';
import type { MessageSocket, UpgradeHandler } from '../../sim/index.ts';
import { CHANNEL_PROTOCOLS, Channels, type Outcome } from './channels.ts';
import type { Kubelets } from './endpoint.ts';
import { type PodTarget, passedOn, podTarget } from './pod-target.ts';
import { booleanParameter, requestInfo } from './request-info.ts';
import { respondError, statusOf } from './respond.ts';
import { route } from './route.ts';

interface UpgradeOptions {
  readonly kubelets: Kubelets;
}

/**
 * Serves `kubectl exec` and `attach`: requests that ask for an upgrade of their connection to a WebSocket.
 *
 * Differs: SPDY, which was spoken before there were WebSockets, is refused.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/rest/subresources.go ExecREST, AttachREST
 */
export function createUpgradeHandler(client: Client, { kubelets }: UpgradeOptions): UpgradeHandler {
  return async (request) => {
    try {
      const url = new URL(request.url);
      const info = requestInfo(request.method, url);
      const { resource, target: what } = route(info, allResources);
      if (what !== 'exec' && what !== 'attach') throw errors.badRequest(`${info.path} takes no upgrade`);
      const { namespace, name } = info;
      const query = url.searchParams;
      const target = await podTarget({ client, query, resource, namespace, name, kubelets });
      if (!target.kubelet) throw errors.badRequest(`pod ${name} does not have a host assigned`);
      const protocol = protocolFor(request.headers);
      const run = what === 'exec' ? execIn : attachTo;
      return {
        protocol,
        serve: (socket) => void serve(socket, query, (streams) => run(target, query, streams)),
      };
    } catch (error) {
      return respondError(error, request);
    }
  };
}

/** @throws StatusError BadRequest when the client speaks none of ours */
function protocolFor(headers: Headers): string {
  if (/spdy/i.test(headers.get('upgrade') ?? '')) {
    throw errors.badRequest(
      'SPDY is not served here, WebSockets are: use kubectl 1.30 or newer, or KUBECTL_REMOTE_COMMAND_WEBSOCKETS=true with 1.29',
    );
  }
  const offered = (headers.get('sec-websocket-protocol') ?? '').split(',').map((each) => each.trim());
  const protocol = CHANNEL_PROTOCOLS.find((each) => offered.includes(each));
  if (protocol) return protocol;
  throw errors.badRequest(
    `unable to upgrade: none of ${CHANNEL_PROTOCOLS.join(', ')} is among the protocols offered`,
  );
}

async function execIn(
  { kubelet, ...of }: PodTarget,
  query: URLSearchParams,
  streams: Streams,
): Promise<Outcome> {
  const code = (await kubelet?.exec(of, query.getAll('command'), streams)) ?? 0;
  return code === 0 ? { status: 'Success' } : exited(code);
}

async function attachTo(
  { kubelet, ...of }: PodTarget,
  _query: URLSearchParams,
  streams: Streams,
): Promise<Outcome> {
  await kubelet?.attach(of, streams);
  return { status: 'Success' };
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

import type { Pod } from '../../../api/objects.ts';
import { errors } from '../../../api/status.ts';
import { kubeletServers } from '../../../cluster/nodes/kubelet-servers.ts';
import { KubeletError, type KubeletServer } from '../../../contracts/node/kubelet-server.ts';
import type { Streams } from '../../../contracts/node/streaming-service.ts';
import { type Call, type Command, KILLED } from '../command.ts';
import type { Flag } from '../flags.ts';
import { KubectlError } from '../kubectl-error.ts';
import { SELECTING } from '../targets.ts';
import { containerOf } from './container.ts';
import { podsOf } from './pods-of.ts';

/** The flags of commands with a terminal. */
export const TERMINAL = {
  stdin: { short: 'i', type: 'switch', help: 'pass what is typed to the program' },
  tty: { short: 't', type: 'switch', help: 'a terminal, which echoes what is typed' },
  quiet: { short: 'q', type: 'switch', help: 'only the output of the program' },
} as const satisfies Record<string, Flag>;

/**
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/exec/exec.go ExecOptions.Run
 *
 * Differs: the kubelet is called without a connection through the apiserver.
 */
export const exec: Command = {
  name: 'exec',
  usage: '(POD | TYPE/NAME) [-c CONTAINER] [-it] -- COMMAND ARGS…',
  summary: 'Runs a program in a container; -it … -- sh is a shell',
  reads: false,
  flags: {
    namespace: SELECTING.namespace,
    container: { short: 'c', type: 'text', help: 'the container' },
    ...TERMINAL,
  },
  run: async (call) => {
    const [name, ...words] = call.args;
    if (name === undefined) throw new KubectlError('pod, type/name or --filename must be specified');
    if (words.length > 0) {
      throw new KubectlError(
        'exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead',
      );
    }
    if (call.rest.length === 0)
      throw new KubectlError('you must specify at least one command for the container');
    const [pod] = await podsOf(call, name);
    if (!pod) throw new KubectlError(`no pod of ${name} exists`);
    const { phase } = pod.status;
    if (phase === 'Succeeded' || phase === 'Failed') {
      throw new KubectlError(`cannot exec into a container in a completed pod; current phase is ${phase}`);
    }
    const container = containerOf(call, pod, call.flags.text('container'));
    const running = kubeletOf(call, pod, 'exec').exec({ pod, container }, call.rest, streamsOf(call));
    const code = await running.catch(failed);
    if (call.io.signal.aborted) return KILLED;
    if (code !== 0) call.io.err(`command terminated with exit code ${code}\n`);
    return code;
  },
};

/** An error of the kubelet arrives in a stream, without a status code. */
function failed(error: unknown): never {
  if (!(error instanceof KubeletError)) throw error;
  const text = error.code === 500 ? `Internal error occurred: ${error.message}` : error.message;
  throw new KubectlError(text);
}

/**
 * Returns the server of the kubelet of a pod.
 *
 * @throws StatusError when the user may not connect, when the pod has no node, or no kubelet answers
 */
export function kubeletOf(
  { cluster, mustBeAllowed }: Pick<Call, 'cluster' | 'mustBeAllowed'>,
  { metadata, spec }: Pod,
  subresource: 'exec' | 'attach',
): KubeletServer {
  const { name, namespace = '' } = metadata;
  mustBeAllowed({ verb: 'create', resource: 'pods', subresource, namespace, name });
  if (!spec.nodeName) throw errors.badRequest(`pod ${metadata.name} does not have a host assigned`);
  const kubelet = kubeletServers(cluster)(spec.nodeName);
  if (kubelet) return kubelet;
  throw errors.internal(
    `error dialing backend: dial tcp ${spec.nodeName}:10250: connect: connection refused`,
  );
}

/** Connects the streams of the prompt with a program. */
export function streamsOf({ flags, io }: Pick<Call, 'flags' | 'io'>): Streams {
  return {
    ...(flags.isOn('stdin') ? { stdin: typed(io.input) } : {}),
    stdout: (text) => io.out(text),
    stderr: (text) => io.err(text),
    tty: flags.isOn('tty') && flags.isOn('stdin'),
    signal: io.signal,
  };
}

async function* typed(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const line of lines) yield line.endsWith('\n') ? line : `${line}\n`;
}

import { CriError } from '../../contracts/node/cri/index.ts';
import type { StreamingService, Streams } from '../../contracts/node/streaming-service.ts';
import type { Clock } from '../../sim/index.ts';
import type { Stdin } from '../programs/program.ts';
import { KILLED, type Task, type TaskStreams } from '../programs/task.ts';
import { carryPort } from './carry-port.ts';
import { forwardPort } from './forward-port.ts';
import { openStreams } from './open-streams.ts';
import { portChannels } from './port-channels.ts';
import { portStreams } from './port-streams.ts';
import type { Container } from './sandbox.ts';
import type { Shim } from './shim.ts';
import type { RuntimeState } from './state.ts';
import { Terminal } from './terminal.ts';

interface StreamingOptions {
  readonly state: RuntimeState;
  /** Returns the shim of the current boot. */
  readonly shim: () => Shim;
  readonly clock: Clock;
}

/**
 * The streaming server of a container runtime.
 *
 * Upstream: containerd/containerd@v2.3.3 internal/cri/server/container_execsync.go execInContainer, container_attach.go,
 * sandbox_portforward.go
 */
export function streamingService({ state, shim, clock }: StreamingOptions): StreamingService {
  const running = (containerId: string, to: string): Container => {
    const container = state.containers.get(containerId);
    if (!container) {
      throw new CriError('NotFound', `failed to find container "${containerId}" in store: not found`);
    }
    if (container.state !== 'CONTAINER_RUNNING') {
      throw new CriError('Unknown', `failed to ${to} container: container is in ${container.state} state`);
    }
    return container;
  };
  return {
    async exec(containerId, command, streams) {
      const container = running(containerId, 'exec in');
      let task: Task | undefined;
      const own = ownStreams(streams, () => task);
      const started = shim().execStreaming(container, command, own.streams);
      if (typeof started === 'string') {
        const why = 'OCI runtime exec failed: exec failed: unable to start container process';
        throw new CriError(
          'Unknown',
          `failed to exec in container: failed to start exec: ${why}: ${started}`,
        );
      }
      task = started;
      const leave = (): void => started.exit(KILLED);
      streams.signal.addEventListener('abort', leave, { once: true });
      const code = await started.ended;
      streams.signal.removeEventListener('abort', leave);
      return code;
    },

    async attach(containerId, streams) {
      const container = running(containerId, 'attach to');
      container.attached.add(streams);
      void typeTo(container, streams);
      const left = new Promise<void>((resolve) => {
        streams.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([container.task?.ended, left]);
      container.attached.delete(streams);
    },

    openStreams: (socket, wanted) => openStreams(socket, wanted, clock),

    async portForward(podSandboxId) {
      const sandbox = state.sandboxes.get(podSandboxId);
      if (!sandbox) {
        throw new CriError('NotFound', `failed to find sandbox "${podSandboxId}": not found`);
      }
      if (sandbox.state !== 'SANDBOX_READY') {
        throw new CriError('Unknown', 'sandbox container is not running');
      }
      const carry = carryPort(podSandboxId, async (port, connection) => {
        const namespace = shim().namespaceOf(sandbox);
        if (!namespace) throw new Error(`network namespace for sandbox "${podSandboxId}" is closed`);
        const netns = sandbox.config.network === 'node' ? 'host' : sandbox.netns;
        await forwardPort({ podSandboxId, netns, namespace, clock }, port, connection);
      });
      return { spdy: portStreams({ clock, carry }), channels: portChannels(carry) };
    },
  };
}

/**
 * Sends the input of an attached user to the container, if the container reads stdin. On a terminal, the input does not
 * end when the user disconnects.
 *
 * Upstream: containerd/containerd@v2.3.3 internal/cri/io/container_io.go ContainerIO.Attach
 */
async function typeTo({ input, config }: Container, { stdin }: Streams): Promise<void> {
  if (!config.stdin || !stdin) return;
  for await (const text of stdin) input?.type(text);
  if (config.stdinOnce && !config.tty) input?.end();
}

/** Returns the streams for a process, with a terminal between user and process if `tty` is set. */
function ownStreams(streams: Streams, task: () => Task | undefined): { readonly streams: TaskStreams } {
  const { stdin, tty } = streams;
  if (!tty) {
    const input = stdin ? { stdin: stdinOf(stdin) } : {};
    return {
      streams: { ...input, stdout: (text) => streams.stdout(text), stderr: (text) => streams.stderr(text) },
    };
  }
  const terminal = new Terminal({
    show: (text) => streams.stdout(text),
    interrupt: () => task()?.interrupt(),
  });
  void typeInto(terminal, stdin);
  const write = (text: string): void => terminal.write(text);
  return { streams: { stdin: terminal, tty, stdout: write, stderr: write } };
}

async function typeInto(terminal: Terminal, stdin: AsyncIterable<string> | undefined): Promise<void> {
  if (stdin) for await (const text of stdin) terminal.type(text);
  terminal.end();
}

function stdinOf(input: AsyncIterable<string>): Stdin {
  const iterator = input[Symbol.asyncIterator]();
  return {
    read: async () => {
      const { done, value } = await iterator.next();
      return done ? undefined : value;
    },
  };
}

import type { MessageSocket } from '../../sim/index.ts';

/**
 * What a container runtime streams: commands in containers, what containers write, and connections to ports of pods. In a real
 * runtime the kubelet is given a URL to which it leads the user; here it is a call.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto RuntimeService Exec, Attach, PortForward
 */
export interface StreamingService {
  /**
   * Runs a command in a container that runs.
   *
   * @returns its exit code, when it has ended. If the user leaves, the command is killed.
   * @throws CriError when it cannot begin
   */
  exec(containerId: string, command: readonly string[], streams: Streams): Promise<number>;

  /** Shows what the first process of a container writes, until it ends or the user leaves. @throws CriError when it does not run */
  attach(containerId: string, streams: Streams): Promise<void>;

  /**
   * Takes the streams of a command that a user opens over a socket which speaks SPDY/3.1 in the protocol `v4.channel.k8s.io`.
   *
   * @returns undefined when they are not opened in time: then the connection is closed
   */
  openStreams(socket: MessageSocket, wanted: StreamsWanted): Promise<CommandStreams | undefined>;

  /** Lets a user connect to the ports of a sandbox. @throws CriError when it does not run */
  portForward(podSandboxId: string): Promise<ServePorts>;
}

/** Serves a user who connects to ports of a pod. Each resolves when there is nothing more to carry over the socket. */
export interface ServePorts {
  /** Carries any number of connections over a socket that speaks SPDY/3.1 in the protocol {@link PORT_FORWARD_PROTOCOL}. */
  spdy(socket: MessageSocket): Promise<void>;

  /**
   * Carries one connection to each of these ports over a socket on which each message begins with the number of its channel. A port
   * has two: what is sent both ways, and why it failed.
   */
  channels(socket: MessageSocket, ports: readonly number[]): Promise<void>;
}

/** Upstream: kubernetes/cri-streaming@v0.36.3 pkg/streaming/portforward/constants.go ProtocolV1Name */
export const PORT_FORWARD_PROTOCOL = 'portforward.k8s.io';

/** Which streams of a command a user wants. */
export interface StreamsWanted {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The streams that a user has opened for a command. */
export interface CommandStreams {
  readonly streams: Streams;
  /** Says how the command ended, and closes the connection. @param status a Status, as JSON */
  end(status: string): Promise<void>;
}

/** How a user talks with a process. Texts stand for bytes: see `byte-text.ts`. */
export interface Streams {
  /** What the user types, as it comes. It ends when the user says so. @defaultValue nothing */
  readonly stdin?: AsyncIterable<string>;
  stdout(text: string): void;
  stderr(text: string): void;
  /** On a terminal what is typed is shown, and both outputs are one. */
  readonly tty: boolean;
  /** Aborted when the user has left. */
  readonly signal: AbortSignal;
}

import type { MessageSocket } from '../../sim/index.ts';

/**
 * The streams of a container runtime: commands in containers, output of containers, and connections to ports of pods. A
 * real runtime gives the kubelet a URL, to which it redirects the user; here these are calls.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto RuntimeService Exec, Attach, PortForward
 */
export interface StreamingService {
  /**
   * Runs a command in a running container.
   *
   * @returns its exit code. If the user disconnects, the command is killed
   * @throws CriError when it cannot start
   */
  exec(containerId: string, command: readonly string[], streams: Streams): Promise<number>;

  /**
   * Streams the output of a container's first process, until it exits or the user disconnects. @throws CriError when
   * the container does not run
   */
  attach(containerId: string, streams: Streams): Promise<void>;

  /**
   * Accepts the streams that a user opens for a command, over a socket with SPDY/3.1 and the protocol
   * `v4.channel.k8s.io`.
   *
   * @returns undefined when they are not opened in time; then the connection is closed
   */
  openStreams(socket: MessageSocket, wanted: StreamsWanted): Promise<CommandStreams | undefined>;

  /** Connects a user to the ports of a sandbox. @throws CriError when the sandbox does not run */
  portForward(podSandboxId: string): Promise<ServePorts>;
}

/** Serves a user who connects to ports of a pod. Each method resolves when all its connections are closed. */
export interface ServePorts {
  /** Forwards any number of connections over a socket with SPDY/3.1 and the protocol {@link PORT_FORWARD_PROTOCOL}. */
  spdy(socket: MessageSocket): Promise<void>;

  /**
   * Forwards one connection to each of these ports. Each message on the socket starts with the number of its channel. A
   * port has two channels: one for the data in both directions, and one for errors.
   */
  channels(socket: MessageSocket, ports: readonly number[]): Promise<void>;
}

/** Upstream: kubernetes/cri-streaming@v0.36.3 pkg/streaming/portforward/constants.go ProtocolV1Name */
export const PORT_FORWARD_PROTOCOL = 'portforward.k8s.io';

/** The streams of a command that a user requests. */
export interface StreamsWanted {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The streams of a command that a user has opened. */
export interface CommandStreams {
  readonly streams: Streams;
  /** Sends the final status of the command, and closes the connection. @param status a Status, as JSON */
  end(status: string): Promise<void>;
}

/** The standard streams between a user and a process. Texts represent bytes: see `byte-text.ts`. */
export interface Streams {
  /** The user's input. It ends when the user closes it. @defaultValue no input */
  readonly stdin?: AsyncIterable<string>;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Whether the streams are a terminal, which echoes the input and merges both outputs. */
  readonly tty: boolean;
  /** Aborted when the user disconnects. */
  readonly signal: AbortSignal;
}

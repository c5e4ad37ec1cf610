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

  /** Lets a user connect to the ports of a sandbox. @throws CriError when it does not run */
  portForward(podSandboxId: string): Promise<ServePorts>;
}

/**
 * Serves a user who connects to ports of a pod: any number of connections over one socket, which speaks SPDY/3.1 in the protocol
 * {@link PORT_FORWARD_PROTOCOL}. Resolves when the socket is closed.
 */
export type ServePorts = (socket: MessageSocket) => Promise<void>;

/** Upstream: kubernetes/cri-streaming@v0.36.3 pkg/streaming/portforward/constants.go ProtocolV1Name */
export const PORT_FORWARD_PROTOCOL = 'portforward.k8s.io';

/** How a user talks with a process. */
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

import type { ByteStream } from '../byte-stream.ts';

/** Carries one connection to a port of a pod until its end. @returns the error message; undefined on success */
export type CarryPort = (port: number, connection: ByteStream) => Promise<string | undefined>;

/**
 * Wraps `forward`, and adds the port and the pod to its errors.
 *
 * Upstream: kubernetes/cri-streaming@v0.36.3 pkg/streaming/portforward/httpstream.go httpStreamHandler.portForward
 */
export function carryPort(
  podSandboxId: string,
  forward: (port: number, connection: ByteStream) => Promise<void>,
): CarryPort {
  return async (port, connection) => {
    try {
      await forward(port, connection);
      return undefined;
    } catch (reason) {
      const why = reason instanceof Error ? reason.message : String(reason);
      return `error forwarding port ${port} to pod ${podSandboxId}, uid : ${why}`;
    }
  };
}

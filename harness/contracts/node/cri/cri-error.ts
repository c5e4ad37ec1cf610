/** The error codes of a runtime, with their gRPC names. */
type CriCode =
  | 'AlreadyExists'
  | 'DeadlineExceeded'
  | 'FailedPrecondition'
  | 'InvalidArgument'
  | 'NotFound'
  | 'ResourceExhausted'
  | 'Unavailable'
  | 'Unknown';

/**
 * The runtime returned an error or did not answer. Events show its message: `rpc error: code = NotFound desc =
 * container "c1" not found`. The call may still have had an effect: request the status to find out.
 *
 * Upstream: google.golang.org/grpc@v1.72.2 internal/status/status.go Error.Error
 */
export class CriError extends Error {
  override readonly name = 'CriError';
  readonly code: CriCode;
  /** The message without the code. */
  readonly desc: string;

  constructor(code: CriCode, desc: string) {
    super(`rpc error: code = ${code} desc = ${desc}`);
    this.code = code;
    this.desc = desc;
  }
}

/**
 * Returns whether the runtime reported that the container, sandbox or image does not exist. Not every runtime has this
 * code: cri-dockerd returns `Unknown` where others return `NotFound`.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/errors/errors.go IsNotFound
 */
export function isCriNotFound(error: unknown): boolean {
  return error instanceof CriError && error.code === 'NotFound';
}

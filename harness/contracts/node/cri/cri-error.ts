/** The codes with which a runtime answers, as gRPC names them. */
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
 * The runtime said no, or did not answer. Its text is what events show: `rpc error: code = NotFound desc = container "c1"
 * not found`. Whether something was done before it failed, an error does not say: ask for the status.
 *
 * Upstream: google.golang.org/grpc@v1.72.2 internal/status/status.go Error.Error
 */
export class CriError extends Error {
  override readonly name = 'CriError';
  readonly code: CriCode;
  /** What it said, without the code. */
  readonly desc: string;

  constructor(code: CriCode, desc: string) {
    super(`rpc error: code = ${code} desc = ${desc}`);
    this.code = code;
    this.desc = desc;
  }
}

/**
 * Did the runtime say that there is no such container, sandbox or image? Not each runtime has a code for it: cri-dockerd
 * answers `Unknown` where others answer `NotFound`.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/errors/errors.go IsNotFound
 */
export function isCriNotFound(error: unknown): boolean {
  return error instanceof CriError && error.code === 'NotFound';
}

/**
 * Bytes that cannot be read, or a value that has no bytes. The message is the one a client of the API sees.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/generated.pb.go ErrIntOverflowGenerated,
 * ErrInvalidLengthGenerated, ErrUnexpectedEndOfGroupGenerated
 */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

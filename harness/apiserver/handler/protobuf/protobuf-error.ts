/**
 * An error for bytes that cannot be read, or a value that cannot be encoded. API clients see its message.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/generated.pb.go ErrIntOverflowGenerated,
 * ErrInvalidLengthGenerated, ErrUnexpectedEndOfGroupGenerated
 */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

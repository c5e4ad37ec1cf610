import { QuantityError } from '../../api/quantity.ts';
import { groupVersion } from '../../api/resource.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import { type Expected, structOf, unhandled } from '../decode.ts';
import { type Envelope, openEnvelope } from './protobuf/envelope.ts';
import { readMessage } from './protobuf/message.ts';
import { ProtobufError } from './protobuf/protobuf-error.ts';

/**
 * Parses a protobuf body to the value of the equivalent JSON. Typed Go clients have sent such bodies since 1.32. A
 * missing kind or version defaults to the expected one. For an unregistered kind it returns only the type; the decoder
 * then reports the same error as for JSON.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/protobuf/protobuf.go Serializer.Decode
 *
 * @throws ProtobufError before the kind is known, StatusError 400 BadRequest after that
 */
export function parseProtobuf(bytes: Uint8Array, expected: Expected<unknown>): object {
  const envelope = openEnvelope(bytes);
  const actual = kindOf(envelope, expected);
  const struct = structOf(actual, expected);
  if (customVersionOf(expected)) throw unhandled(actual, expected, NO_MESSAGE);
  const type = { kind: actual.kind, apiVersion: groupVersion(actual) };
  if (struct === undefined) return type;
  try {
    return { ...type, ...readMessage(struct, envelope.raw) };
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof QuantityError) {
      throw unhandled(actual, expected, error.message);
    }
    throw error;
  }
}

/** The error for custom resources, which have no protobuf message. Upstream: errNotMarshalable */
const NO_MESSAGE =
  'object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message';

/** Returns the kind of the body. An invalid apiVersion counts as missing. Upstream: copyKindDefaults */
function kindOf({ apiVersion, kind: said }: Envelope, expected: Expected<unknown>): Expected<unknown> {
  const kind = said || expected.kind;
  const [version = '', group = '', ...rest] = apiVersion.split('/').reverse();
  return version === '' || rest.length > 0 ? { ...expected, kind } : { group, version, kind };
}

import { QuantityError } from '../../api/quantity.ts';
import { groupVersion } from '../../api/resource.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import { type Expected, structOf, unhandled } from '../decode.ts';
import { type Envelope, openEnvelope } from './protobuf/envelope.ts';
import { readMessage } from './protobuf/message.ts';
import { ProtobufError } from './protobuf/protobuf-error.ts';

/**
 * What a body in protobuf says, as the value that its JSON would be. Typed clients of Go have sent such bodies
 * since 1.32. One that does not say its kind or version is taken to be of those expected. A kind that is not
 * registered is left to the code that decodes the value: it is told as of JSON.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/protobuf/protobuf.go Serializer.Decode
 *
 * @throws ProtobufError when it cannot even be said to be of some kind, StatusError 400 BadRequest afterwards
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

/** A custom resource has no message. Upstream: errNotMarshalable */
const NO_MESSAGE =
  'object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message';

/** An apiVersion that is none counts as if it were not there. Upstream: copyKindDefaults */
function kindOf({ apiVersion, kind: said }: Envelope, expected: Expected<unknown>): Expected<unknown> {
  const kind = said || expected.kind;
  const [version = '', group = '', ...rest] = apiVersion.split('/').reverse();
  return version === '' || rest.length > 0 ? { ...expected, kind } : { group, version, kind };
}

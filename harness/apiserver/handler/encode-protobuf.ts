import { failure, StatusError } from '../../api/status.ts';
import { apiTypes, type Struct } from '../../api/table/table.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import type { Codec } from './protobuf/codec.ts';
import { sealEnvelope } from './protobuf/envelope.ts';
import { writeMessage } from './protobuf/message.ts';
import { messageCodec } from './protobuf/message-codec.ts';
import { scalarCodecs, viewCodec } from './protobuf/scalar-codecs.ts';
import { Writer } from './protobuf/writer.ts';

/** An answer to encode: an object or a list of the API, or another JSON object. */
interface Answered {
  readonly kind?: string;
  readonly apiVersion?: string;
}

/** Encoded bodies by the object. */
const encoded = new WeakMap<object, Uint8Array<ArrayBuffer>>();

/**
 * Encodes an object or a list. A frozen object is encoded once, however many watches send it.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/protobuf/protobuf.go Serializer.Encode
 *
 * @throws StatusError NotAcceptable for a kind without a protobuf encoding, such as a Table
 */
export function encodeProtobuf(object: Answered): Uint8Array<ArrayBuffer> {
  const known = encoded.get(object);
  if (known !== undefined) return known;
  const { kind = '', apiVersion = '' } = object;
  const struct = structOf(kind, apiVersion);
  if (struct === undefined) throw notMarshalable(kind, apiVersion);
  const raw = writeMessage(struct, object as Record<string, unknown>);
  const bytes = sealEnvelope({ kind, apiVersion, raw });
  if (Object.isFrozen(object)) encoded.set(object, bytes);
  return bytes;
}

/**
 * Encodes a watch event: four bytes with the length of the message, then the message. The message has no envelope, but
 * the object in it does.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/framer/framer.go lengthDelimitedFrameWriter,
 * pkg/runtime/serializer/protobuf/protobuf.go RawSerializer, pkg/apis/meta/v1/watch.go WatchEvent
 */
export function encodeProtobufEvent({ type, object }: WatchEvent): Uint8Array {
  const writer = new Writer();
  watchEvent.writeFields(writer, { type, object: { raw: encodeProtobuf(object) } });
  const message = writer.finish();
  const frame = Buffer.alloc(LENGTH_BYTES + message.length);
  frame.writeUInt32BE(message.length);
  frame.set(message, LENGTH_BYTES);
  return frame;
}

const LENGTH_BYTES = 4;

const rawExtension: Codec = messageCodec('RawExtension', () => [
  { number: 1, property: 'raw', name: 'Raw', codec: viewCodec },
]);

const watchEvent = messageCodec('WatchEvent', () => [
  { number: 1, property: 'type', name: 'Type', codec: scalarCodecs.string },
  { number: 2, property: 'object', name: 'Object', codec: rawExtension },
]);

/** Returns the struct of a kind. Answers without a group have the apiVersion `v1` or none. */
function structOf(kind: string, apiVersion: string): Struct | undefined {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const struct =
    apiTypes.kind({ group, version, kind }) ??
    (group === '' && ['', 'v1'].includes(version)
      ? apiTypes.kind({ group: 'meta.k8s.io', version: 'v1', kind })
      : undefined);
  return struct?.fields.some(({ protobuf }) => protobuf !== undefined) ? struct : undefined;
}

function notMarshalable(kind: string, apiVersion: string): StatusError {
  const type = `*${apiVersion.split('/').at(-1)}.${kind}`;
  return new StatusError(
    failure(
      'NotAcceptable',
      `object ${type} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message`,
    ),
  );
}

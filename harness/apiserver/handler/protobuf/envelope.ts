import type { Codec } from './codec.ts';
import { messageCodec } from './message-codec.ts';
import { ProtobufError } from './protobuf-error.ts';
import { Reader } from './reader.ts';
import { scalarCodecs, viewCodec } from './scalar-codecs.ts';
import { Writer } from './writer.ts';

/** An encoded object with its type. */
export interface Envelope {
  /** The apiVersion as in the object: `apps/v1`. `''` if it is missing. */
  readonly apiVersion: string;
  /** `''` if it is missing. */
  readonly kind: string;
  /** The message of this kind. */
  readonly raw: Uint8Array;
}

/**
 * Unpacks a body: a prefix of four bytes that identifies the encoding, and a message `runtime.Unknown` that carries the
 * object's bytes.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/protobuf/protobuf.go Serializer.Decode
 *
 * @throws ProtobufError
 */
export function openEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new ProtobufError('empty data');
  if (!PREFIX.every((byte, index) => bytes[index] === byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${PREFIX.join(' ')}]`,
    );
  }
  if (bytes.length === PREFIX.length) throw new ProtobufError('empty body');
  const object: Unknown = {};
  unknown.readInto(new Reader(bytes.subarray(PREFIX.length)), object);
  const { apiVersion = '', kind = '' } = object.typeMeta ?? {};
  return { apiVersion, kind, raw: object.raw ?? new Uint8Array() };
}

/**
 * Packs the bytes of an object into a body.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/protobuf/protobuf.go Serializer.Encode
 */
export function sealEnvelope({ apiVersion, kind, raw }: Envelope): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  unknown.writeFields(writer, { typeMeta: { apiVersion, kind }, raw });
  writer.raw(PREFIX);
  return writer.finish();
}

/** "k8s" and the number of the encoding. Only one encoding exists. */
const PREFIX = Uint8Array.of(0x6b, 0x38, 0x73, 0);

interface Unknown extends Record<string, unknown> {
  typeMeta?: { apiVersion?: string; kind?: string };
  raw?: Uint8Array;
}

const { string } = scalarCodecs;

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/types.go Unknown. The encoding and the type are not read. */
const unknown = messageCodec('Unknown', () => [
  { number: 1, property: 'typeMeta', name: 'TypeMeta', codec: typeMeta },
  { number: 2, property: 'raw', name: 'Raw', codec: viewCodec },
  { number: 3, property: 'contentEncoding', name: 'ContentEncoding', codec: string },
  { number: 4, property: 'contentType', name: 'ContentType', codec: string },
]);

const typeMeta: Codec = messageCodec('TypeMeta', () => [
  { number: 1, property: 'apiVersion', name: 'APIVersion', codec: string },
  { number: 2, property: 'kind', name: 'Kind', codec: string },
]);

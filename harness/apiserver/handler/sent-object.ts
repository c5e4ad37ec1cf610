import { freezeObject } from '../../api/freeze.ts';
import type { WriteOptions } from '../../contracts/client.ts';
import type { Expected } from '../decode.ts';
import type { Warned } from '../verbs/owner-references.ts';
import { inNamespace, placedAt } from '../verbs/placed.ts';
import { decodeBody, readBody } from './body.ts';
import { type Call, keyOf } from './endpoint.ts';
import { type WriteOptionsKind, withManager, writeOptions } from './options.ts';

/** The object of a write request: decoded to the expected kind, in the namespace of the path, and frozen. */
export interface SentObject {
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** The content of a write request. */
interface Sent {
  readonly object: SentObject;
  readonly options: WriteOptions & Warned;
}

/**
 * Reads the object and the options of a write, and warns about dropped fields.
 *
 * @throws StatusError UnsupportedMediaType, RequestEntityTooLarge, Invalid (options), BadRequest
 */
export async function readObject(
  call: Call,
  expected: Expected<unknown>,
  kind: WriteOptionsKind,
): Promise<Sent> {
  const sent = await read(call, expected, kind);
  return { ...sent, object: freezeObject(inNamespace(keyOf(call).namespace, sent.object)) };
}

/** Like {@link readObject}, for an update: the object must match the name in the path. */
export async function readNamed(call: Call, expected: Expected<unknown>): Promise<Sent> {
  const sent = await read(call, expected, 'UpdateOptions');
  return { ...sent, object: freezeObject(placedAt(keyOf(call), sent.object)) };
}

async function read(
  { request, query, decoders, warn }: Call,
  expected: Expected<unknown>,
  kind: WriteOptionsKind,
): Promise<Sent> {
  const body = await readBody(request, decoders);
  const { fieldValidation = 'Warn', ...options } = withManager(writeOptions(query, kind), request);
  const { object, warnings } = decodeBody(body, expected, fieldValidation);
  warnings.forEach(warn);
  // Decoding has applied `fieldValidation`: the object has no unknown fields left, so the options omit it.
  return {
    object: object as SentObject,
    options: { ...options, signal: request.signal, onWarning: warn },
  };
}

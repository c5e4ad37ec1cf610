import { parse } from 'yaml';
import { errors } from '../../api/status.ts';
import type { WriteOptions } from '../../contracts/client.ts';
import { type Decoded, decode, type Expected } from '../decode.ts';
import { duplicateFields } from '../schema/duplicate-fields.ts';
import { jsonErrorMessage } from './json-error.ts';
import { mediaTypeOf } from './negotiation.ts';

/** The longest body that is read, in bytes. Upstream: pkg/server/config.go Config.MaxRequestBodyBytes */
const BODY_BYTES_MAX = 3 * 1024 * 1024;

/**
 * Turns bytes of one media type into a value.
 *
 * @throws Error whose message says what is wrong with them
 */
export type Decoder = (bytes: Uint8Array) => unknown;

/** By media type. */
export type Decoders = Readonly<Record<string, Decoder>>;

/** The media types that every endpoint takes. */
export const standardDecoders: Decoders = {
  'application/json': (bytes) => {
    const text = decodeText(bytes);
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new Error(`couldn't get version/kind; json parse error: ${jsonErrorMessage(text, error)}`);
    }
  },
  'application/yaml': (bytes) => {
    try {
      return parse(decodeText(bytes), { merge: true });
    } catch (error) {
      const [first = ''] = error instanceof Error ? error.message.split('\n') : [];
      throw new Error(`error converting YAML to JSON: yaml: ${first}`);
    }
  },
};

/** A body that was read and not yet understood. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly decoder: Decoder;
}

/** What becomes of fields that the kind does not have. */
type FieldValidation = NonNullable<WriteOptions['fieldValidation']>;

/** The bytes of a body; none are an empty array. @throws StatusError RequestEntityTooLarge */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > BODY_BYTES_MAX) throw errors.tooLarge(`limit is ${BODY_BYTES_MAX}`);
  return bytes;
}

/**
 * Reads the body of a request. One without a media type is taken for JSON.
 *
 * The body of a request: read within limits, parsed as its media type says, and made an object of the kind that
 * the endpoint takes.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/endpoints/handlers/rest.go, create.go, update.go
 *
 * @throws StatusError UnsupportedMediaType, RequestEntityTooLarge
 */
export async function readBody(request: Request, decoders: Decoders): Promise<Body> {
  const mediaType = mediaTypeOf(request.headers.get('content-type')) || 'application/json';
  const decoder = decoders[mediaType];
  if (!decoder) throw errors.unsupportedMediaType(Object.keys(decoders));
  return { bytes: await readBytes(request), mediaType, decoder };
}

/**
 * Makes the body an object of the kind that is expected. One that does not say its kind or version is taken to be
 * of that one.
 *
 * @throws StatusError BadRequest
 */
export function decodeBody<T>(
  body: Body,
  expected: Expected<T>,
  fieldValidation: FieldValidation,
): Decoded<T> {
  const value = parsed(body, expected.kind);
  const isJson = body.mediaType === 'application/json';
  return decode(expected, value, {
    fieldValidation,
    body: decodeText(body.bytes),
    ...(isJson && fieldValidation !== 'Ignore'
      ? { duplicateFields: duplicateFields(decodeText(body.bytes)) }
      : {}),
  });
}

function parsed({ bytes, decoder }: Body, kind: string): unknown {
  try {
    return decoder(bytes) ?? {};
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw errors.badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${why} (${summarize(bytes)})`,
    );
  }
}

/**
 * The beginning of a body for a message: as it is where it looks like JSON, in hexadecimal otherwise.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/endpoints/handlers/rest.go summarizeData
 */
function summarize(bytes: Uint8Array): string {
  const shownMax = 30;
  if (bytes.length === 0) return '<empty>';
  const head = Buffer.from(bytes.subarray(0, shownMax));
  const shown = bytes[0] === '{'.charCodeAt(0) ? head.toString() : head.toString('hex');
  return bytes.length > shownMax ? `${shown} ...` : shown;
}

const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

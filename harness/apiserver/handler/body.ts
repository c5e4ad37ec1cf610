import { errors, StatusError } from '../../api/status.ts';
import type { WriteOptions } from '../../contracts/client.ts';
import { type Decoded, decode, type Expected } from '../decode.ts';
import { jsonText, parseJson } from './json-body.ts';
import { mediaTypeOf } from './negotiation.ts';
import { parseProtobuf } from './protobuf-body.ts';
import { parseYaml } from './yaml-body.ts';

/**
 * Maximum length of a body, in bytes.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/server/config.go Config.MaxRequestBodyBytes
 */
const BODY_BYTES_MAX = 3 * 1024 * 1024;

/**
 * Turns the bytes of one media type into a value. Only some media types need the expected kind.
 *
 * @throws Error whose message says why the bytes cannot be parsed; StatusError when it already is the whole answer
 */
type Decoder = (bytes: Uint8Array, expected: Expected<unknown>) => Parsed;

/** The value of a body, and its duplicate keys. */
interface Parsed {
  readonly value: unknown;
  /** The text of a JSON body. `decode` searches it for duplicate fields when a caller requests them. */
  readonly json?: string;
  /** The duplicate keys of a body in another format, in upstream's words. */
  readonly duplicates?: readonly string[];
}

/** Decoders by media type. */
export type Decoders = Readonly<Record<string, Decoder>>;

/** The media types that every endpoint accepts. */
export const standardDecoders: Decoders = {
  'application/json': (bytes) => {
    const json = jsonText(bytes);
    try {
      return { value: parseJson(json), json };
    } catch (error) {
      throw new Error(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
    }
  },
  'application/yaml': (bytes) => parseYaml(new TextDecoder().decode(bytes)),
  'application/vnd.kubernetes.protobuf': (bytes, expected) => ({ value: parseProtobuf(bytes, expected) }),
};

/** A body that has been read but not decoded. */
interface Body {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly decoder: Decoder;
}

/** How to treat fields that the kind does not have. */
type FieldValidation = NonNullable<WriteOptions['fieldValidation']>;

/**
 * Reads the bytes of a body: an empty array without a body. Stops reading as soon as a body exceeds the limit.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest.go limitedReadBody
 *
 * @throws StatusError RequestEntityTooLarge
 */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (length > BODY_BYTES_MAX) throw tooLarge();
  // Faster, but possible only with a known length.
  const bytes = length >= 0 ? new Uint8Array(await request.arrayBuffer()) : await readStream(request);
  if (bytes.length > BODY_BYTES_MAX) throw tooLarge();
  return bytes;
}

const tooLarge = (): Error => errors.tooLarge(`limit is ${BODY_BYTES_MAX}`);

async function readStream({ body }: Request): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      length += next.value.length;
      if (length > BODY_BYTES_MAX) throw tooLarge();
    }
  } finally {
    // To cancel the stream would close the connection that carries the answer.
    reader.releaseLock();
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, length);
}

/**
 * Reads the body of a request. A request without a media type counts as JSON.
 *
 * A body is read within limits, parsed by its media type, and decoded to the kind that the endpoint expects.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest.go, create.go, update.go
 *
 * @throws StatusError UnsupportedMediaType, RequestEntityTooLarge
 */
export async function readBody(request: Request, decoders: Decoders): Promise<Body> {
  const mediaType = mediaTypeOf(request.headers.get('content-type')) || 'application/json';
  const decoder = Object.hasOwn(decoders, mediaType) ? decoders[mediaType] : undefined;
  if (!decoder) throw errors.unsupportedMediaType(Object.keys(decoders));
  return { bytes: await readBytes(request), mediaType, decoder };
}

/**
 * Decodes the body to an object of the expected kind. A missing kind or version defaults to the expected one.
 *
 * @throws StatusError BadRequest
 */
export function decodeBody<T>(
  body: Body,
  expected: Expected<T>,
  fieldValidation: FieldValidation,
): Decoded<T> {
  const { value, json, duplicates = [] } = parsed(body, expected);
  return decode(expected, value ?? {}, {
    fieldValidation,
    ...(json === undefined ? {} : { body: json }),
    // Strict decoding reports all duplicate lines of YAML in one error; otherwise each line is a warning.
    strictErrors:
      fieldValidation === 'Strict' && duplicates.length > 0
        ? [`yaml: unmarshal errors:\n${duplicates.map((each) => `  ${each}`).join('\n')}`]
        : duplicates,
  });
}

function parsed({ bytes, decoder }: Body, expected: Expected<unknown>): Parsed {
  try {
    return decoder(bytes, expected);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw errors.badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${summarize(bytes)})`,
    );
  }
}

/**
 * Returns the beginning of a body for a message: as text if it looks like JSON, otherwise in hexadecimal.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest.go summarizeData
 */
function summarize(bytes: Uint8Array): string {
  const shownMax = 30;
  if (bytes.length === 0) return '<empty>';
  const head = Buffer.from(bytes.subarray(0, shownMax));
  const shown = bytes[0] === '{'.charCodeAt(0) ? head.toString() : head.toString('hex');
  return bytes.length > shownMax ? `${shown} ...` : shown;
}

import { errors, StatusError } from '../../api/status.ts';
import type { WriteOptions } from '../../contracts/client.ts';
import { type Decoded, decode, type Expected } from '../decode.ts';
import { jsonText, parseJson } from './json-body.ts';
import { mediaTypeOf } from './negotiation.ts';
import { parseProtobuf } from './protobuf-body.ts';
import { parseYaml } from './yaml-body.ts';

/** The longest body that is read, in bytes. Upstream: kubernetes/apiserver@v0.36.3 pkg/server/config.go Config.MaxRequestBodyBytes */
const BODY_BYTES_MAX = 3 * 1024 * 1024;

/**
 * Turns bytes of one media type into a value. Only of some it must be known what they are of.
 *
 * @throws Error whose message says what is wrong with them; StatusError where that is not all there is to say
 */
export type Decoder = (bytes: Uint8Array, expected: Expected<unknown>) => Parsed;

/** What a body says, and where its text says a thing twice. */
export interface Parsed {
  readonly value: unknown;
  /** The text, of a body in JSON: in it the fields that stand twice are found when they are asked for. */
  readonly json?: string;
  /** Of a body in another format, the keys that stand twice, in upstream's words. */
  readonly duplicates?: readonly string[];
}

/** By media type. */
export type Decoders = Readonly<Record<string, Decoder>>;

/** The media types that every endpoint takes. */
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

/** A body that was read and not yet understood. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly decoder: Decoder;
}

/** What becomes of fields that the kind does not have. */
type FieldValidation = NonNullable<WriteOptions['fieldValidation']>;

/**
 * The bytes of a body; none are an empty array. Of one that is too long no more is read than it takes to know.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest.go limitedReadBody
 *
 * @throws StatusError RequestEntityTooLarge
 */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (length > BODY_BYTES_MAX) throw tooLarge();
  // The faster way, where it is known how much there is.
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
    // To cancel the stream would cut the connection on which the answer is to go.
    reader.releaseLock();
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, length);
}

/**
 * Reads the body of a request. One without a media type is taken for JSON.
 *
 * The body of a request: read within limits, parsed as its media type says, and made an object of the kind that
 * the endpoint takes.
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
  const { value, json, duplicates = [] } = parsed(body, expected);
  return decode(expected, value ?? {}, {
    fieldValidation,
    ...(json === undefined ? {} : { body: json }),
    // One error of YAML tells all that is wrong; of its lines each makes a warning.
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
 * The beginning of a body for a message: as it is where it looks like JSON, in hexadecimal otherwise.
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

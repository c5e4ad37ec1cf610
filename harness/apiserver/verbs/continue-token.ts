import { errors, type StatusError } from '../../api/status.ts';
import { parseJson } from '../handler/json-body.ts';
import { jsonKind, jsonWording } from '../schema/wording.ts';

/**
 * The key and the revision at which a list continues. Clients treat it as opaque, and so must our clients.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/continue.go continueToken
 */
interface ContinueToken {
  /** The revision of the first page. A negative value continues at the newest revision, inconsistently. */
  readonly revision: number;
  /**
   * The first key, without the prefix of the list: `web-1\0` in a namespace, `default/web-1\0` across all namespaces.
   */
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';

/**
 * Encodes a continue token as base64url of JSON. Clients treat it as opaque.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/continue.go EncodeContinue
 */
export function encodeContinue({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: revision, start })).toString('base64url');
}

/**
 * Decodes a token that anyone could have forged. So its key stays below the prefix of the list. Its revision counts
 * like one from the client: it may be compacted or in the future.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/continue.go DecodeContinue
 *
 * @throws StatusError BadRequest when the token is invalid
 */
export function decodeContinue(token: string): ContinueToken {
  const { v: version = '', rv: revision = 0, start = '' } = fieldsOf(jsonOf(bytesOf(token)));
  if (version !== VERSION) throw invalid(`server does not recognize this encoded version ${version}`);
  if (revision === 0) throw invalid(`incorrect encoded start resourceVersion (version ${VERSION})`);
  if (start === '') throw invalid(`encoded start key empty (version ${VERSION})`);
  const relative = start.replace(/^\//, '');
  if (!isClean(relative)) throw invalid(start);
  return { revision, start: relative };
}

/** Creates the error for an expired token. It carries a new token, for clients that accept an inconsistent rest. */
export function expiredContinue(start: string): StatusError {
  const error = errors.expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list ' +
      'without the continue parameter, or use the continue token in this response to retrieve the remainder of ' +
      'the results. Continuing with the provided token results in an inconsistent list - objects that were ' +
      'created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  error.status.metadata = { continue: encodeContinue({ revision: -1, start }) };
  return error;
}

function invalid(why: string): Error {
  return errors.badRequest(`invalid continue token: continue key is not valid: ${why}`);
}

/** Reports whether Go's `path.Clean` would leave the path unchanged. Then no segment escapes the prefix. */
function isClean(path: string): boolean {
  return path === '' || path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Upstream: Go's base64.RawURLEncoding.DecodeString */
function bytesOf(token: string): Buffer {
  const illegal = token.search(/[^\w\r\n-]/);
  const digits = token.replace(/[\r\n]/g, '').length;
  const at = illegal >= 0 ? illegal : digits % 4 === 1 ? token.length - 1 : -1;
  if (at >= 0) throw invalid(`illegal base64 data at input byte ${at}`);
  return Buffer.from(token, 'base64url');
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return parseJson(bytes.toString());
  } catch (error) {
    throw invalid((error as Error).message);
  }
}

const FIELDS = { v: 'string', rv: 'int64', start: 'string' } as const;

/** Upstream: Go's json.Unmarshal */
function fieldsOf(value: unknown): { v?: string; rv?: number; start?: string } {
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalid(
      `json: cannot unmarshal ${jsonKind(value, '')} into Go value of type storage.continueToken`,
    );
  }
  const given = Object.entries(value ?? {}).filter(([field, sent]) => field in FIELDS && sent !== null);
  for (const [field, sent] of given) {
    const type = FIELDS[field as keyof typeof FIELDS];
    if (type === 'int64' ? Number.isInteger(sent) : typeof sent === 'string') continue;
    throw invalid(jsonWording.mismatch(sent, { struct: 'continueToken', field, type, underlying: type }));
  }
  return Object.fromEntries(given);
}

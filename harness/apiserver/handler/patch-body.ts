import { errors } from '../../api/status.ts';
import type { Patch, WriteOptions } from '../../contracts/client.ts';
import { jsonKind } from '../schema/wording.ts';
import { readBytes } from './body.ts';
import { jsonText, parseJson } from './json-body.ts';
import { mediaTypeOf } from './negotiation.ts';
import { type ParsedYaml, parseYaml } from './yaml-body.ts';

/** Media types by type of patch. */
export const patchMediaTypes: Readonly<Record<Patch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** A patch that has been read but not decoded. */
interface SentPatch {
  readonly type: Patch['type'];
  /** @throws StatusError BadRequest */
  decode(fieldValidation: WriteOptions['fieldValidation']): ReadPatch;
}

/** A decoded patch, and warnings about its text. */
interface ReadPatch {
  readonly patch: Patch;
  readonly warnings: readonly string[];
}

/**
 * Reads a patch. Decoding is a separate step, because errors in the options of a request precede errors in its patch.
 *
 * The media type of a PATCH body selects the type of patch.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go PatchResource
 *
 * @throws StatusError UnsupportedMediaType, RequestEntityTooLarge
 */
export async function readPatch(request: Request): Promise<SentPatch> {
  const mediaType = mediaTypeOf(request.headers.get('content-type'));
  const type = (Object.keys(patchMediaTypes) as Patch['type'][]).find(
    (each) => patchMediaTypes[each] === mediaType,
  );
  if (!type) throw errors.unsupportedMediaType(Object.values(patchMediaTypes));
  const bytes = await readBytes(request);
  return {
    type,
    decode: (fieldValidation) =>
      type === 'apply'
        ? decodeApply(bytes, fieldValidation)
        : { patch: decodePatch(type, bytes), warnings: [] },
  };
}

/**
 * Decodes a configuration for an apply from YAML, a superset of JSON.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go applyPatcher.applyPatchToCurrentObject
 *
 * Differs: reports duplicate keys before other errors in the configuration, not after them.
 */
function decodeApply(bytes: Uint8Array, fieldValidation: WriteOptions['fieldValidation']): ReadPatch {
  let parsed: ParsedYaml;
  try {
    parsed = parseYaml(new TextDecoder().decode(bytes));
  } catch (error) {
    throw errors.badRequest(
      `error decoding YAML: error converting YAML to JSON: ${(error as Error).message}`,
    );
  }
  const { value, duplicates } = parsed;
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    const why = `json: cannot unmarshal ${jsonKind(value, '')} into Go value of type map[string]interface {}`;
    throw errors.badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  if (fieldValidation === 'Strict' && duplicates.length > 0) {
    const lines = duplicates.map((each) => `  ${each}`).join('\n');
    throw errors.badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n${lines}`,
    );
  }
  const warnings = fieldValidation === 'Ignore' ? [] : duplicates;
  return { patch: { type: 'apply', body: value }, warnings };
}

function decodePatch(type: Exclude<Patch['type'], 'apply'>, bytes: Uint8Array): Patch {
  const refuse = (why: string): never => {
    throw errors.badRequest(type === 'strategic' ? why : `error decoding patch: ${why}`);
  };
  let body: unknown;
  try {
    body = parseJson(jsonText(bytes));
  } catch (error) {
    refuse((error as Error).message);
  }
  // Each type of patch interprets null in its own way.
  if (body === null)
    return type === 'json' ? { type, body: [] } : { type, body: type === 'merge' ? null : {} };
  if (type === 'json') {
    if (!Array.isArray(body))
      refuse(`json: cannot unmarshal ${jsonKind(body, '')} into Go value of type []handlers.jsonPatchOp`);
    return { type, body: body as readonly unknown[] };
  }
  if (typeof body !== 'object' || Array.isArray(body))
    refuse(`json: cannot unmarshal ${jsonKind(body, '')} into Go value of type map[string]interface {}`);
  return { type, body };
}
